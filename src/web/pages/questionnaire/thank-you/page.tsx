import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../session/storage.ts";
import { Scene, Steps } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { nextStudyDay, weekdayOf } from "./nextStudyDay.ts";

function View() {
  const { t, rich, locale, session, formats, services } = useSite();
  const { state, context, live } = useSession();
  const { firstname, email } = state.user;
  const [trialEnd, setTrialEnd] = useState<string | null>(null);
  // The plan's own date: whoever opens the page again days later is not promised more days.
  const askWhatWasBought = useEffectEvent(async () => {
    if (!isSignedIn(services.store)) return;
    try {
      const { subscription } = await services.api.call("subscription");
      if (subscription?.trialing === true) setTrialEnd(subscription.end);
    } catch {
      // Without the date the page thanks all the same.
    }
  });
  useEffect(() => {
    if (live) void askWhatWasBought();
  }, [live]);
  const day = nextStudyDay(state.days, context.today);
  const steps = [
    {
      title: t("page.thank-you.step1"),
      text: email === undefined ? t("page.thank-you.step1.plain") : rich("page.thank-you.step1.text", { EMAIL: email }),
    },
    { title: t("page.thank-you.step2"), text: t("page.thank-you.step2.text") },
    {
      title: t("page.thank-you.step3"),
      text:
        day !== null && state.studySchedule !== undefined
          ? t(day === weekdayOf(context.today) ? "page.thank-you.step3.today" : "page.thank-you.step3.text", {
              WEEKDAY: formats.weekday(day, "long"),
              MINUTES: state.studySchedule.minutesPerSession,
            })
          : t("page.thank-you.step3.plain"),
    },
  ];
  return (
    <Scene
      route="questionnaire/thank-you"
      figure="dance"
      says={t("page.thank-you.welcome")}
      confetti
      title={firstname ? t("page.thank-you.title", { FIRSTNAME: firstname }) : t("page.thank-you.titlePlain")}
      text={trialEnd === null ? t("page.thank-you.text") : t("page.thank-you.trial", { DATE: formats.longDate(trialEnd.slice(0, 10)) })}
      action={
        <Button arrow href={buildPath("questionnaire/verify-email", locale, { version: session.compiled.definition.id })}>
          {t("page.thank-you.go")}
        </Button>
      }
    >
      <Steps steps={steps} />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/thank-you.title"),
  description: ({ t }) => t("meta.questionnaire/thank-you.description"),
  View,
};
