import { formatsFor } from "#core/formats.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect } from "react";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { AfterPayingList } from "../../../account/AfterPayingList.tsx";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session } = useSite();
  const formats = formatsFor(locale);
  const { firstname } = useSession().state.user;
  const at = useAfterPaying();
  const { trialEnd, confirmed, ended, nothingOrdered, paid } = at;
  const hasNoPlan = ended || (nothingOrdered && !paid);
  const version = session.compiled.definition.id;
  // A buyer who comes back to the checkout is led here. Without a plan, or with one that has ended, only the plan's page tells the truth.
  useEffect(() => {
    if (hasNoPlan) goToPath(buildPath("handle-your-subscription", locale), { locale, version }, { replace: true });
  }, [hasNoPlan, locale, version]);
  return (
    <Scene
      route="questionnaire/thank-you"
      figure="dance"
      says={t("page.thank-you.welcome")}
      confetti
      title={firstname ? t("page.thank-you.title", { FIRSTNAME: firstname }) : t("page.thank-you.titlePlain")}
      text={trialEnd === null ? t("page.thank-you.text") : t("page.thank-you.trial", { DATE: formats.longDate(trialEnd) })}
      action={
        <Button arrow href={buildPath("questionnaire/verify-email", locale, { version })}>
          {t(confirmed === true ? "page.thank-you.goConfirmed" : "page.thank-you.go")}
        </Button>
      }
    >
      <AfterPayingList at={at} />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/thank-you.title"),
  description: ({ t }) => t("meta.questionnaire/thank-you.description"),
  View,
};
