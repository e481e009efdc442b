/** What shows when a page could not be made: on the server with status 500, in the browser in place of the page. */
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSite } from "../../siteContext.tsx";

function View() {
  const { t } = useSite();
  // An empty address is the page's own: it works without a script too.
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
