import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { AfterPayingList } from "../../../account/AfterPayingList.tsx";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { Steps } from "../../../shell/Steps.tsx";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session } = useSite();
  const at = useAfterPaying();
  return (
    <Scene
      route="questionnaire/next-steps"
      figure="explain"
      title={t("page.next-steps.title")}
      text={t("page.next-steps.text")}
      action={
        <Button arrow href={buildPath("questionnaire/start-level-test", locale, { version: session.compiled.definition.id })}>
          {t("page.next-steps.go")}
        </Button>
      }
    >
      <Steps
        hasNext={false}
        steps={[
          { title: t("page.next-steps.step1"), text: t("page.next-steps.step1.text") },
          { title: t("page.next-steps.step2"), text: t("page.next-steps.step2.text") },
          { title: t("page.next-steps.step3"), text: t("page.next-steps.step3.text") },
        ]}
      />
      <AfterPayingList at={at} short />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/next-steps.title"),
  description: ({ t }) => t("meta.questionnaire/next-steps.description"),
  View,
};
