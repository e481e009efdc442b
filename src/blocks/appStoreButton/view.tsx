import { Button } from "#ui/Button.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

const stores = ["apple", "android"] as const;

/**
 * Links to the app in the store of the visitor's device, or in both stores if the device is unknown. A store without a configured link is omitted.
 */
export function View({ content, context, site }: BlockViewProps<Content>) {
  const links = stores.flatMap((store) => {
    const href = site.appStoreLinks[store];
    const fits = context.platform === store || context.platform === "other";
    return href !== null && fits ? [{ store, href }] : [];
  });
  return (
    <div className={styles["stores"]}>
      {content.text !== undefined && <p>{site.say(content.text)}</p>}
      {links.map(({ store, href }) => (
        <Button key={store} kind="secondary" href={href} icon="smartphone">
          {site.t(`block.appStoreButton.${store}`)}
        </Button>
      ))}
    </div>
  );
}
