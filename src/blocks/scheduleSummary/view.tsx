import { programEndDate } from "#core/questionnaire/schedule.ts";
import { Icon, type IconName } from "#ui/Icon.tsx";
import type { ReactNode } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ state, context, site }: BlockViewProps<Content>) {
  const schedule = site.schedules.find(({ id }) => id === state.schedule);
  if (schedule === undefined) return null;
  const days =
    state.days.length === 0
      ? site.say(schedule.practiseDaysPerWeekText)
      : site.formats.list(state.days.map((day) => site.formats.weekday(day, "long")));
  const end = state.programEndDate ?? programEndDate(schedule.months, context.today);
  const rows: readonly (readonly [IconName, string, ReactNode])[] = [
    [
      "gauge",
      "rhythm",
      <>
        {site.say(schedule.name)}, {site.say(schedule.monthsText)}
      </>,
    ],
    ["calendar-days", "days", days],
    ["timer", "session", site.t("block.scheduleSummary.minutes", { MINUTES: schedule.minutesPerSession })],
    ["play", "start", site.formats.longDate(context.today)],
    ["flag", "end", site.formats.longDate(end)],
  ];
  return (
    <dl className={styles["summary"]}>
      {rows.map(([icon, key, value]) => (
        <div key={key}>
          <Icon name={icon} className={styles["icon"]} />
          <dt>{site.t(`block.scheduleSummary.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
