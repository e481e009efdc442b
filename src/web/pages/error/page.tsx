/** The error page: the server sends it with status 500, the browser shows it in place of a failed page. */
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSite } from "../../siteContext.tsx";

function View() {
  const { t } = useSite();
  // An empty `href` reloads the same page, also without scripts.
  return (
    <Scene
      route="error"
      figure="shrug"
      title={t("shell.failed.title")}
      text={t("shell.failed.text")}
      action={
        <Button href="" icon="refresh-cw">
          {t("shell.failed.reload")}
        </Button>
      }
    />
  );
}

export const page: Page = { title: ({ t }) => t("shell.failed.title"), View };
