import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSite } from "../../siteContext.tsx";

function View() {
  const { t, locale } = useSite();
  return (
    <Scene
      route="not-found"
      figure="shy"
      title={t("page.not-found.title")}
      text={t("page.not-found.text")}
      action={<Button href={buildPath("home", locale)}>{t("page.not-found.go")}</Button>}
    />
  );
}

export const page: Page = { title: ({ t }) => t("meta.not-found.title"), description: ({ t }) => t("meta.not-found.description"), View };
