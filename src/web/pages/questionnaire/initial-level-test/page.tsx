import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { Steps } from "../../../shell/Steps.tsx";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session } = useSite();
  return (
    <Scene
      route="questionnaire/initial-level-test"
      figure="study"
      title={t("page.initial-level-test.title")}
      text={t("page.initial-level-test.text")}
      action={
        <Button arrow href={buildPath("questionnaire/start-level-test", locale, { version: session.compiled.definition.id })}>
          {t("page.initial-level-test.go")}
        </Button>
      }
    >
      <Steps
        steps={[
          { title: t("page.initial-level-test.step1"), text: t("page.initial-level-test.step1.text") },
          { title: t("page.initial-level-test.step2"), text: t("page.initial-level-test.step2.text") },
          { title: t("page.initial-level-test.step3"), text: t("page.initial-level-test.step3.text") },
        ]}
      />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/initial-level-test.title"),
  description: ({ t }) => t("meta.questionnaire/initial-level-test.description"),
  View,
};
