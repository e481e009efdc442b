import { addMonths } from "#core/questionnaire/calendar.ts";
import type { Level } from "#core/questionnaire/definition.ts";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import { Side } from "#ui/Side.tsx";
import type { BlockViewProps } from "../view.ts";
import { chartOf } from "./chart.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View(props: BlockViewProps<Content>) {
  const { plan } = props.site;
  return (
    <div className={styles["promise"]}>
      <Chart {...props} />
      {plan.pace !== null && (
        <Side>
          <Facts site={props.site} />
          <WeeklyMinutes site={props.site} />
        </Side>
      )}
    </div>
  );
}

function Chart({ content, context, site }: BlockViewProps<Content>) {
  const { range, months: usual } = content.programPromiseOptions;
  const { plan } = site;
  // Without a chosen pace there is no end date: the axis has the content's length.
  const months = plan.pace?.months ?? usual ?? plan.months;
  const chart = chartOf({ months, stages: plan.stages });
  const nameOf = (level: Level) => site.plain(site.levels[level].name);
  const goal = plan.target === null ? site.t("block.programPromise.beyond") : nameOf(plan.target);
  const values = {
    FROM: nameOf(plan.initial),
    TO: goal,
    STAGES: plan.stages,
    START: site.formats.monthAndYear(context.today),
    END: site.formats.monthAndYear(plan.end),
  };
  const names = { initial: values.FROM, stage: site.t("block.programPromise.stage", values), target: goal };
  return (
    <figure className={styles["chart"]}>
      <p className="sr">
        {site.t(plan.pace === null ? "block.programPromise.sentenceOpen" : "block.programPromise.sentence", values)}{" "}
        {plan.target !== null && site.t("block.programPromise.goal", values)}{" "}
        {range && site.t("block.programPromise.sentenceRange", values)}
      </p>
      <div className={styles["plot"]} aria-hidden="true">
        <div className={styles["levels"]}>
          {chart.rows.map(({ row, y }) => (
            <span
              key={row}
              className={classes(styles["level"], styles[row], row !== "target" && styles["reached"])}
              style={{ bottom: `${y}%` }}
            >
              {names[row]}
            </span>
          ))}
        </div>
        <div className={styles["area"]}>
          {chart.rows.map(({ row, y }) => (
            <i key={row} className={styles["row"]} style={{ bottom: `${y}%` }} />
          ))}
          {chart.later.map((y) => (
            <i key={y} className={styles["later"]} style={{ bottom: `${y}%` }} />
          ))}
          {/* Personal data shows after hydration; the axis shows from the start. */}
          {site.live && <Curve site={site} context={context} chart={chart} range={range} end={values.END} />}
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

interface CurveProps extends Pick<BlockViewProps<Content>, "site" | "context"> {
  readonly chart: ReturnType<typeof chartOf>;
  readonly range: boolean | undefined;
  readonly end: string;
}

/** The visitor's way to the goal. */
function Curve({ site, context, chart, range, end }: CurveProps) {
  const pointing = site.picture("point");
  return (
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
      {pointing !== null && (
        <span className={styles["guide"]} style={{ bottom: `${chart.end}%` }}>
          <Picture source={pointing} locale={context.locale} alt="" eager />
        </span>
      )}
      <i className={styles["end"]} style={{ bottom: `${chart.end}%` }} />
      {site.plan.pace !== null && (
        <span className={styles["date"]} style={{ bottom: `calc(${chart.end}% + 17px)` }}>
          {end}
        </span>
      )}
    </>
  );
}

function Facts({ site }: { readonly site: Site }) {
  const { programWeeks, programBreakWeeks, practiseDaysPerWeek, minutesPerSession } = site.plan;
  const facts = [
    [programWeeks, site.t("block.programPromise.weeks", { WEEKS: programWeeks, REST: programBreakWeeks })],
    [practiseDaysPerWeek, site.t("block.programPromise.days", { DAYS: practiseDaysPerWeek })],
    [minutesPerSession, site.t("block.programPromise.minutes", { MINUTES: minutesPerSession })],
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

function WeeklyMinutes({ site }: { readonly site: Site }) {
  const { minutesPerWeek, ...plan } = site.plan;
  const minutes = {
    app: plan.minutesOnApp,
    lessons: plan.minutesOnLessons,
    interactiveExercises: plan.minutesOnInteractiveExercises,
    recordedLessons: plan.minutesOnRecordedLessons,
  };
  const spent = activities.filter((activity) => minutes[activity] > 0);
  return (
    <section className={styles["week"]}>
      <h2>{site.t("block.programPromise.week", { MINUTES: minutesPerWeek })}</h2>
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
