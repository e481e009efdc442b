import { buildPath, isPageRoute } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, locale, session } = useSite();
  const { state } = useSession();
  const version = session.compiled.definition.id;
  // Congratulations is where it leads; until that page is there, to where congratulations would.
  const next = isPageRoute("questionnaire/congratulations") ? "questionnaire/congratulations" : "questionnaire/start-level-test";
  return (
    <Scene
      route="questionnaire/verify-email"
      questionId={1012}
      figure="phone"
      title={t("page.verify-email.title")}
      text={state.user.email === undefined ? t("page.verify-email.plain") : rich("page.verify-email.text", { EMAIL: state.user.email })}
      action={
        <>
          <Button arrow href={buildPath(next, locale, { version })}>
            {t("page.verify-email.go")}
          </Button>
          {isPageRoute("questionnaire/update-email") && (
            <Button kind="link" href={buildPath("questionnaire/update-email", locale, { version })}>
              {t("page.verify-email.change")}
            </Button>
          )}
        </>
      }
    >
      <p>{t("page.verify-email.hint")}</p>
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/verify-email.title"),
  description: ({ t }) => t("meta.questionnaire/verify-email.description"),
  View,
};
