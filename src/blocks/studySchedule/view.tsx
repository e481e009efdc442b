import { OptionCard } from "#ui/OptionCard.tsx";
import { Picture } from "#ui/Picture.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, state, context, site }: BlockViewProps<Content>) {
  const { mini } = content.studyScheduleOptions;
  return (
    <RadioGroup
      label={site.t("block.studySchedule.label")}
      values={site.schedules.map(({ id }) => id)}
      chosen={state.schedule}
      onChoose={site.chooseSchedule}
      className={styles["schedules"]}
    >
      {(id, radio, chosen) => {
        const at = site.schedules.findIndex((schedule) => schedule.id === id);
        const schedule = site.schedules[at];
        const pace = site.plan.paces[at];
        if (schedule === undefined || pace === undefined) return null;
        const values = { MONTHS: pace.months, DAYS: pace.practiseDaysPerWeek, MINUTES: pace.minutesPerSession };
        const source = mini || schedule.picture === undefined ? null : site.picture(schedule.picture);
        return (
          <OptionCard
            key={id}
            {...radio}
            marked
            chosen={chosen}
            shape={shapes[at % shapes.length]}
            picture={source === null ? undefined : <Picture source={source} locale={context.locale} alt="" eager />}
            title={site.say(schedule.name)}
            detail={
              <>
                <span className={styles["months"]}>{site.say(schedule.monthsText, values)}</span>
                <span className={styles["figures"]}>
                  <span className={styles["halves"]}>
                    <span className={styles["half"]}>{site.say(schedule.practiseDaysPerWeekText, values)}</span>
                    <span className={styles["half"]}>
                      <span className={styles["dot"]}> · </span>
                      {site.say(schedule.minutesPerSessionText, values)}
                    </span>
                  </span>
                </span>
                {schedule.monthsTextBottom !== undefined && (
                  <span className={styles["figures"]}>{site.say(schedule.monthsTextBottom, values)}</span>
                )}
              </>
            }
          />
        );
      }}
    </RadioGroup>
  );
}

const shapes = [1, 2, 3] as const;
