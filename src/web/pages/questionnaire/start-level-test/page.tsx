import { Button } from "#ui/Button.tsx";
import type { Page } from "../../../page.ts";
import { Scene, Steps } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { maskedEmail } from "./maskedEmail.ts";

function View() {
  const { t, rich, client } = useSite();
  const { state, context } = useSession();
  const { android, apple } = client.storeLinks;
  const store = context.platform === "apple" ? (apple ?? android) : (android ?? apple);
  const { email } = state.user;
  return (
    <Scene
      route="questionnaire/start-level-test"
      figure="phone-app"
      title={t("page.start-level-test.title")}
      text={t("page.start-level-test.text")}
      {...(store === null
        ? {}
        : {
            action: (
              <Button icon="download" href={store} rel="noopener">
                {t("page.start-level-test.go")}
              </Button>
            ),
          })}
    >
      <Steps
        steps={[
          { title: t("page.start-level-test.step1"), text: t("page.start-level-test.step1.text") },
          {
            title: t("page.start-level-test.step2"),
            text:
              email === undefined
                ? t("page.start-level-test.step2.plain")
                : rich("page.start-level-test.step2.text", { EMAIL: maskedEmail(email) }),
          },
          { title: t("page.start-level-test.step3"), text: t("page.start-level-test.step3.text") },
          { title: t("page.start-level-test.step4"), text: t("page.start-level-test.step4.text") },
        ]}
      />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/start-level-test.title"),
  description: ({ t }) => t("meta.questionnaire/start-level-test.description"),
  View,
};
