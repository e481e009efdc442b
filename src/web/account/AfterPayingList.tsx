/** The checklist after a payment, the same on every following page. */
import type { UiKey } from "#content/texts/ui.ts";
import { formatsFor } from "#core/formats.ts";
import { weekdayOf } from "#core/questionnaire/calendar.ts";
import { firstLesson } from "#core/questionnaire/lessons.ts";
import { planOf } from "#core/questionnaire/plan.ts";
import type { ReactNode } from "react";
import { Checklist, type Step } from "../shell/Steps.tsx";
import { useSession, useSite } from "../siteContext.tsx";
import type { AfterPaying } from "./afterPaying.ts";

/** @param short only titles, for pages that explain the next item themselves */
export function AfterPayingList({ at, short = false }: { readonly at: AfterPaying; readonly short?: boolean }) {
  const { t } = useSite();
  const { payment, address, app, lesson } = useSteps(at);
  const steps = [...payment, address, app, lesson];
  return <Checklist steps={steps} label={t("after.label")} doneLabel={t("after.done")} short={short} />;
}

/** The list on the page that leads into the app: the items before the app, then the app's own steps in place of the others. */
export function IntoTheAppList({ at, steps }: { readonly at: AfterPaying; readonly steps: (lesson: ReactNode) => readonly Step[] }) {
  const { t } = useSite();
  const { payment, address, lesson } = useSteps(at);
  const before: readonly Step[] = [...payment.map((step) => ({ ...step, icon: "credit-card" as const })), { ...address, icon: "mail" }];
  const finished = ({ done, text, ...step }: Step): Step => (done ? { ...step, done } : { ...step, text });
  return (
    <Checklist
      steps={[...before.map(finished), ...steps(lesson.text)]}
      label={t("after.label")}
      doneLabel={t("after.done")}
      short={false}
    />
  );
}

interface AfterPayingSteps {
  /** Empty where nothing was ordered. */
  readonly payment: readonly Step[];
  readonly address: Step;
  readonly app: Step;
  readonly lesson: Step;
}

function useSteps({
  paid,
  nothingOrdered,
  loading,
  signedOut,
  trialEnd,
  change,
  confirmed,
  email,
  level,
  hasApp,
}: AfterPaying): AfterPayingSteps {
  const { t, rich, locale, session } = useSite();
  const formats = formatsFor(locale);
  const { state, context } = useSession();
  const plan = planOf({ compiled: session.compiled, state, context });
  const lesson =
    state.days.length > 0 && plan.pace !== null
      ? t(plan.start === context.today ? "page.thank-you.step3.today" : "page.thank-you.step3.text", {
          WEEKDAY: formats.weekday(weekdayOf(plan.start), "long"),
          MINUTES: plan.minutesPerSession,
        })
      : t("page.thank-you.step3.plain");
  const first = firstLesson(session.compiled, state, level);
  const payment: Step = {
    done: paid,
    title: t(!paid || loading ? "after.unpaid" : trialEnd === null ? "after.paid" : "after.trial"),
    text: loading
      ? undefined
      : !paid
        ? t("after.unpaid.text")
        : trialEnd === null
          ? t("after.paid.text")
          : rich(trialText(change), { DATE: formats.longDate(trialEnd) }),
  };
  return {
    payment: nothingOrdered ? [] : [payment],
    address: {
      done: confirmed === true,
      title: t(confirmed === true ? "after.confirmed" : "page.thank-you.step1"),
      text: signedOut
        ? t("page.user.over")
        : email === undefined
          ? t("page.thank-you.step1.plain")
          : rich(confirmed === true ? "after.confirmed.text" : "page.thank-you.step1.text", { EMAIL: email }),
    },
    app: { done: hasApp, title: t(hasApp ? "after.hasApp" : "after.app"), text: t("page.thank-you.step2.text") },
    lesson: {
      done: false,
      title: t("page.thank-you.step3"),
      text: first === null ? lesson : `${lesson} ${t("lesson.first", { TITLE: t(`lesson.first.${first}`) })}`,
    },
  };
}

/** What happens at the trial's end. */
function trialText(change: AfterPaying["change"]): UiKey {
  if (change === "cancel") return "subscription.line.willEnd";
  return change === "pause" ? "subscription.line.willPause" : "after.trial.text";
}
