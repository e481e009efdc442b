/** The checklist after a payment, the same on every following page. Finished items have a tick, the next one is emphasised. */
import { weekdayOf } from "#core/questionnaire/calendar.ts";
import { firstLesson } from "#core/questionnaire/lessons.ts";
import { planOf } from "#core/questionnaire/plan.ts";
import { Icon } from "#ui/Icon.tsx";
import { classes } from "#ui/classes.ts";
import { unbroken } from "#ui/richText.tsx";
import type { ReactNode } from "react";
import { useSession, useSite } from "../siteContext.tsx";
import type { AfterPaying } from "./afterPaying.ts";
import styles from "./AfterPayingList.module.css";

interface Item {
  readonly done: boolean;
  readonly title: string;
  readonly text: ReactNode;
}

/** @param short only titles, for pages that explain the next item themselves */
export function AfterPayingList({ at, short = false }: { readonly at: AfterPaying; readonly short?: boolean }) {
  const { t } = useSite();
  const items = useItems(at);
  const next = items.findIndex(({ done }) => !done);
  return (
    <ol role="list" className={classes(styles["list"], short && styles["short"])} aria-label={t("after.label")}>
      {items.map(({ done, title, text }, index) => (
        <li key={index} aria-current={index === next ? "step" : undefined} data-done={done || undefined}>
          <span className={styles["mark"]} aria-hidden="true">
            {done ? <Icon name="check" stroke={3} /> : !short && index + 1}
          </span>
          <div>
            <h2>
              {unbroken(title)}
              {done && <span className="sr"> {t("after.done")}</span>}
            </h2>
            {!short && <p>{unbroken(text)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function useItems({ paid, trialEnd, confirmed, email, hasApp }: AfterPaying): readonly Item[] {
  const { t, rich, formats, session } = useSite();
  const { state, context } = useSession();
  const plan = planOf({ compiled: session.compiled, state, context });
  const lesson =
    state.days.length > 0 && plan.pace !== null
      ? t(plan.start === context.today ? "page.thank-you.step3.today" : "page.thank-you.step3.text", {
          WEEKDAY: formats.weekday(weekdayOf(plan.start), "long"),
          MINUTES: plan.minutesPerSession,
        })
      : t("page.thank-you.step3.plain");
  const first = firstLesson(session.compiled, state);
  return [
    {
      done: paid,
      title: t(!paid ? "after.unpaid" : trialEnd === null ? "after.paid" : "after.trial"),
      text: !paid
        ? t("after.unpaid.text")
        : trialEnd === null
          ? t("after.paid.text")
          : t("after.trial.text", { DATE: formats.longDate(trialEnd) }),
    },
    {
      done: confirmed === true,
      title: t(confirmed === true ? "after.confirmed" : "page.thank-you.step1"),
      text:
        email === undefined
          ? t("page.thank-you.step1.plain")
          : rich(confirmed === true ? "after.confirmed.text" : "page.thank-you.step1.text", { EMAIL: email }),
    },
    { done: hasApp, title: t(hasApp ? "after.hasApp" : "after.app"), text: t("page.thank-you.step2.text") },
    {
      done: false,
      title: t("page.thank-you.step3"),
      text: first === null ? lesson : `${lesson} ${t("lesson.first", { TITLE: t(`lesson.first.${first}`) })}`,
    },
  ];
}
