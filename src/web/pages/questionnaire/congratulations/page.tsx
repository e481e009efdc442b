import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { AfterPayingList } from "../../../account/AfterPayingList.tsx";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session } = useSite();
  const { firstname } = useSession().state.user;
  const at = useAfterPaying();
  // Both buttons lead to the same page (spec 001 §2, "Other screens"). The second one is quiet and names that page.
  const next = buildPath("questionnaire/next-steps", locale, { version: session.compiled.definition.id });
  return (
    <Scene
      route="questionnaire/congratulations"
      figure="celebrate"
      says={t("page.congratulations.says")}
      title={firstname ? t("page.congratulations.title", { FIRSTNAME: firstname }) : t("page.congratulations.titlePlain")}
      text={t(at.confirmed === false ? "page.congratulations.unconfirmed" : "page.congratulations.text")}
      action={
        <>
          <Button arrow href={next}>
            {t("page.congratulations.go")}
          </Button>
          <Button kind="link" href={next}>
            {t("page.congratulations.more")}
          </Button>
        </>
      }
    >
      <AfterPayingList at={at} short />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/congratulations.title"),
  description: ({ t }) => t("meta.questionnaire/congratulations.description"),
  View,
};
