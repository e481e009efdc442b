import type { BlockContent } from "#blocks/specs.ts";
import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { paceOf } from "#core/questionnaire/plan.ts";
import { requiredDays } from "#core/questionnaire/schedule.ts";
import type { Text, TextValues } from "#core/text.ts";
import type { ReactNode } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";
import { laterSite } from "./blocks.tsx";
import { optionLink } from "./options.ts";
import styles from "./question.module.css";
import { spreadDays } from "./spreadDays.ts";

interface WithoutScriptProps {
  readonly question: Question;
  readonly contents: readonly BlockContent[];
  readonly options: readonly Option[];
  readonly text: (value: Text, more?: TextValues) => ReactNode;
}

interface Way {
  readonly label: ReactNode;
  readonly events: readonly QuestionnaireEvent[];
}

function Ways({ question, contents, options, text }: WithoutScriptProps) {
  const site = useSite();
  const { state, context } = useSession();
  const { compiled } = site.session;
  const nextOption = options.find((option) => !isWayBack(option));
  if (nextOption === undefined) return null;

  const ways = contents.flatMap((content): readonly Way[] => {
    if (content.type === "studySchedule")
      return compiled.definition.schedules.map((schedule) => ({
        label: (
          <>
            {text(schedule.name)}: {text(schedule.monthsText, { MONTHS: paceOf(compiled, state, schedule).months })}
          </>
        ),
        events: [{ type: "chooseSchedule", scheduleId: schedule.id }],
      }));
    if (content.type !== "daySelection") return [];
    const days = spreadDays[requiredDays(content.daySelectionOptions.days, state)] ?? [];
    const { formats } = laterSite({ compiled, state, context });
    return [{ label: formats.list(days.map((day) => formats.weekday(day, "long"))), events: [{ type: "chooseDays", days }] }];
  });
  const shown: readonly Way[] = ways.length > 0 ? ways : [{ label: text(nextOption.description), events: [] }];
  return (
    <>
      {shown.map(({ label, events }, index) => {
        const chosen = events.reduce((before, event) => step(compiled, before, event, context).state, state);
        const href = optionLink(site, compiled, chosen, context, question, nextOption);
        return (
          href !== null && (
            <a key={index} href={href} className={styles["noscript"]} data-option-id={nextOption.id}>
              {label}
            </a>
          )
        );
      })}
    </>
  );
}

/**
 * Links to the next question, for visitors without scripts, at a question that waits for a script (an animation's end, a choice in a field).
 * A schedule or days are part of the link. React ignores `noscript` in the browser, so only the server renders its content.
 */
export function WithoutScript(props: WithoutScriptProps) {
  return <noscript>{import.meta.env.SSR ? <Ways {...props} /> : null}</noscript>;
}
