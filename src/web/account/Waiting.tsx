import type { PageRoute } from "#core/routes.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { Scene } from "../shell/Scene.tsx";
import styles from "./account.module.css";
import { NeedsScript } from "./NeedsScript.tsx";

/** A page that shows a loader and a text. */
export function Waiting({ route, text }: { readonly route: PageRoute; readonly text: string }) {
  return (
    <Scene route={route} figure="wave" title={text}>
      <NeedsScript />
      <div className={styles["waiting"]} aria-hidden="true">
        <Spinner />
      </div>
    </Scene>
  );
}
