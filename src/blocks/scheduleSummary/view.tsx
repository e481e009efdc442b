import { Icon, type IconName } from "#ui/Icon.tsx";
import { unbroken } from "#ui/richText.tsx";
import type { ReactNode } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ state, site }: BlockViewProps<Content>) {
  const { plan } = site;
  const schedule = site.schedules.find(({ id }) => id === plan.pace?.id);
  if (schedule === undefined) return null;
  const values = { MONTHS: plan.months, DAYS: plan.practiseDaysPerWeek };
  const days =
    state.days.length === 0
      ? site.say(schedule.practiseDaysPerWeekText, values)
      : unbroken(site.formats.list(state.days.map((day) => site.formats.weekday(day, "long"))));
  const rows: readonly (readonly [IconName, string, ReactNode])[] = [
    [
      "gauge",
      "rhythm",
      <>
        {site.say(schedule.name)}, {site.say(schedule.monthsText, values)}
      </>,
    ],
    ["calendar-days", "days", days],
    ["timer", "session", site.t("block.scheduleSummary.minutes", { MINUTES: plan.minutesPerSession })],
    ["play", "start", site.formats.longDate(plan.start)],
    ["flag", "end", site.formats.longDate(plan.end)],
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
