import { requiredDays } from "#core/questionnaire/schedule.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { Timer } from "#ui/motion.ts";
import { Week } from "#ui/Week.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** Milliseconds for which the week shakes after a tap on one day too many (spec 001 §4, §9). */
export const nudgeDuration = 500;

const week = [0, 1, 2, 3, 4, 5, 6] as const;

export function View({ content, state, site }: BlockViewProps<Content>) {
  const [nudges, setNudges] = useState(0);
  const [nudged, setNudged] = useState(false);
  /** True after a tap on one day too many, until the next tap: an explanation shows. */
  const [full, setFull] = useState(false);
  const { textInProgress, textDone } = content.daySelectionOptions;
  const required = requiredDays(content.daySelectionOptions.days, state);
  const chosen = state.days;
  const done = chosen.length >= required;
  const values = { CHOSEN: chosen.length, REQUIRED: required, LEFT: Math.max(0, required - chosen.length) };

  const toggle = (day: number) => {
    setFull(done && !chosen.includes(day));
    if (chosen.includes(day)) return site.chooseDays(chosen.filter((other) => other !== day));
    if (!done) return site.chooseDays([...chosen, day].toSorted((a, b) => a - b));
    setNudged(true);
    setNudges(nudges + 1);
  };
  const progress = done ? textDone : textInProgress;

  return (
    <section className={styles["days"]}>
      {nudged && <Timer key={nudges} delay={nudgeDuration} onTime={() => setNudged(false)} />}
      <header>
        <span className={styles["label"]}>{site.t("block.daySelection.label")}</span>
        <span className={classes(styles["count"], done && styles["done"])}>
          {done && <Icon name="check" className={styles["tick"]} stroke={3} />}
          <span>{site.t("block.daySelection.count", values)}</span>
        </span>
      </header>
      <Week
        label={site.t("block.daySelection.label")}
        days={week.map((day) => ({ letter: site.formats.weekday(day, "narrow"), name: site.formats.weekday(day, "long") }))}
        chosen={chosen}
        onToggle={toggle}
        nudge={nudged ? nudges : 0}
      />
      <p role="status">
        {full
          ? site.t("block.daySelection.limit", values)
          : progress === undefined
            ? site.t(done ? "block.daySelection.done" : "block.daySelection.inProgress", values)
            : site.say(progress, values)}
      </p>
    </section>
  );
}
