/** The next lesson of a customer with a plan, and a link to it. */
import { formatsFor } from "#core/formats.ts";
import { dayIn, weekdayOf } from "#core/questionnaire/calendar.ts";
import { firstLesson } from "#core/questionnaire/lessons.ts";
import type { Level } from "#core/questionnaire/levels.ts";
import { firstDay } from "#core/questionnaire/plan.ts";
import type { State } from "#core/questionnaire/state.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useEffect, useState } from "react";
import { accountOf } from "../../api/claims.ts";
import { readState } from "../../device/readState.ts";
import { useSession, useSite } from "../../siteContext.tsx";
import styles from "./subscription.module.css";

/** @param level the level of the account's saved answers, once the plan is loaded */
export function NextLesson({ level }: { readonly level: Level | null }) {
  const { t, locale, session } = useSite();
  const formats = formatsFor(locale);
  const { today } = useSession().context;
  const state = useAgreed();
  const { days, studySchedule } = state ?? { days: [], studySchedule: undefined };
  const first = state !== null && isFirstLessonAhead(state, today) ? firstLesson(session.compiled, state, level) : null;
  const day = days.length === 0 ? null : firstDay(days, today);
  return (
    <div className={styles["lesson"]}>
      <h2>{t("page.subscription.lesson")}</h2>
      {day !== null && studySchedule !== undefined && (
        <p>
          {unbroken(
            t(day === today ? "page.thank-you.step3.today" : "page.thank-you.step3.text", {
              WEEKDAY: formats.weekday(weekdayOf(day), "long"),
              MINUTES: studySchedule.minutesPerSession,
            }),
          )}
        </p>
      )}
      {first !== null && <p>{t("lesson.first", { TITLE: t(`lesson.first.${first}`) })}</p>}
      <Button arrow href={buildPath("app/dashboard", locale)}>
        {t("page.subscription.app")}
      </Button>
    </div>
  );
}

/** Whether the program's first lesson can still be the next one: until the end of the first practice day after the plan was made. */
function isFirstLessonAhead({ days, finishedTimestamp }: State, today: string): boolean {
  if (finishedTimestamp === undefined) return true;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return today <= firstDay(days, dayIn(Date.parse(finishedTimestamp), timeZone));
}

/** The account's answers with the agreed schedule: from this device if it has them, else from the server. */
function useAgreed(): State | null {
  const { store, api } = useSite().services;
  const [agreed, setAgreed] = useState<State | null>(null);
  useEffect(() => {
    const own = readState(store);
    const uuid = accountOf(store.get("token"));
    // The device may have answers to another version, from before the login or after it, or somebody else's.
    const isAccounts = uuid === null || (own?.user.uuid === uuid && own.signupDone);
    if (own !== null && own.days.length > 0 && isAccounts) return setAgreed(own);
    if (uuid === null) return;
    // If the call fails, the link to the lesson is still shown.
    void api.call("questionnaireGet", { query: { uuid } }).then(
      ({ state }) => {
        if (state !== null && state !== "invalid") setAgreed(state);
      },
      () => undefined,
    );
  }, [api, store]);
  return agreed;
}
