import { addMonths } from "#core/questionnaire/calendar.ts";
import { type Level, levels } from "#core/questionnaire/definition.ts";
import { defaultBreakWeeks, defaultMonths, defaultWeeks, programEndDate } from "#core/questionnaire/schedule.ts";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import { Side } from "#ui/Side.tsx";
import type { BlockViewProps } from "../view.ts";
import { chartOf } from "./chart.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View(props: BlockViewProps<Content>) {
  const { content, state, site } = props;
  const schedule = site.schedules.find(({ id }) => id === state.schedule);
  const months = content.programPromiseOptions.months ?? schedule?.months ?? defaultMonths;
  return (
    <div className={styles["promise"]}>
      <Chart {...props} months={months} />
      {(schedule !== undefined || site.weeklyMinutes !== null) && (
        <Side>
          {schedule !== undefined && (
            <Facts
              site={site}
              months={months}
              days={state.days.length || schedule.practiseDaysPerWeek}
              minutes={schedule.minutesPerSession}
            />
          )}
          {site.weeklyMinutes !== null && <WeeklyMinutes site={site} minutes={site.weeklyMinutes} />}
        </Side>
      )}
    </div>
  );
}

function Chart({ content, state, context, site, months }: BlockViewProps<Content> & { readonly months: number }) {
  const { range } = content.programPromiseOptions;
  const from = site.level.initial ?? levels[0];
  const chart = chartOf(from, site.level.target ?? from, months);
  const end =
    content.programPromiseOptions.months === undefined && state.programEndDate !== undefined
      ? state.programEndDate
      : programEndDate(months, context.today);
  const nameOf = (level: Level) => site.plain(site.levels[level].name);
  const goal = chart.target === null ? site.t("block.programPromise.beyond") : nameOf(chart.target);
  const values = {
    FROM: nameOf(from),
    TO: goal,
    START: site.formats.monthAndYear(context.today),
    END: site.formats.monthAndYear(end),
  };
  const pointing = site.picture("point");
  return (
    <figure className={styles["chart"]}>
      <p className="sr">
        {site.t("block.programPromise.sentence", values)} {range && site.t("block.programPromise.sentenceRange", values)}
      </p>
      <div className={styles["plot"]} aria-hidden="true">
        <div className={styles["levels"]}>
          {chart.rows.map(({ level, y, reached }) => (
            <span key={level} className={classes(styles["level"], reached && styles["reached"])} style={{ bottom: `${y}%` }}>
              {nameOf(level)}
            </span>
          ))}
          {chart.target === null && (
            <span className={classes(styles["level"], styles["reached"])} style={{ bottom: `${chart.end}%` }}>
              {goal}
            </span>
          )}
        </div>
        <div className={styles["area"]}>
          {chart.rows.map(({ level, y }) => (
            <i key={level} className={styles["row"]} style={{ bottom: `${y}%` }} />
          ))}
          {/* What is the visitor's own waits for the device; the axis stands from the start. */}
          {site.live && (
            <>
              {range && (
                <svg className={styles["band"]} viewBox="0 0 100 100" preserveAspectRatio="none">
                  <path d={chart.band} />
                </svg>
              )}
              <svg className={styles["line"]} viewBox="0 0 100 100" preserveAspectRatio="none">
                <path d={chart.line} vectorEffect="non-scaling-stroke" />
              </svg>
              <i className={styles["start"]} style={{ bottom: `${chart.start}%` }} />
              {pointing !== null && <Picture source={pointing} locale={context.locale} alt="" className={styles["guide"]} eager />}
              <i className={styles["end"]} style={{ bottom: `${chart.end}%` }} />
              <span className={styles["date"]} style={{ bottom: `calc(${chart.end}% + 17px)` }}>
                {site.formats.monthAndYear(end)}
              </span>
            </>
          )}
        </div>
        <div className={styles["months"]}>
          {chart.ticks.map(({ month, x }) => (
            <span key={month} style={{ left: `${x}%` }}>
              {site.formats.shortMonth(addMonths(context.today, month))}
            </span>
          ))}
        </div>
      </div>
      <figcaption className={styles["legend"]}>
        <span>
          <i className={styles["lineKey"]} />
          {site.t("block.programPromise.path")}
        </span>
        {range && (
          <span>
            <i className={styles["bandKey"]} />
            {site.t("block.programPromise.range")}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

type Site = BlockViewProps<Content>["site"];

function Facts({
  site,
  months,
  days,
  minutes,
}: {
  readonly site: Site;
  readonly months: number;
  readonly days: number;
  readonly minutes: number;
}) {
  const quarters = months / 3;
  const weeks = Math.round(quarters * defaultWeeks);
  const facts = [
    [weeks, site.t("block.programPromise.weeks", { WEEKS: weeks, REST: Math.round(quarters * defaultBreakWeeks) })],
    [days, site.t("block.programPromise.days", { DAYS: days })],
    [minutes, site.t("block.programPromise.minutes", { MINUTES: minutes })],
  ] as const;
  return (
    <div className={styles["factsFrame"]}>
      <dl className={styles["facts"]}>
        {facts.map(([number, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{site.formats.number(number)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const activities = ["app", "lessons", "interactiveExercises", "recordedLessons"] as const;

function WeeklyMinutes({ site, minutes }: { readonly site: Site; readonly minutes: NonNullable<Site["weeklyMinutes"]> }) {
  const spent = activities.filter((activity) => minutes[activity] > 0);
  return (
    <section className={styles["week"]}>
      <h2>{site.t("block.programPromise.week", { MINUTES: spent.reduce((sum, activity) => sum + minutes[activity], 0) })}</h2>
      <div className={styles["bar"]} aria-hidden="true">
        {spent.map((activity) => (
          <i key={activity} className={styles[activity]} style={{ flexGrow: minutes[activity] }} />
        ))}
      </div>
      <ul>
        {spent.map((activity) => (
          <li key={activity}>
            <i className={styles[activity]} aria-hidden="true" />
            <span>{site.t(`block.programPromise.${activity}`)}</span>
            <b>{site.t("block.programPromise.minutesShort", { MINUTES: minutes[activity] })}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
