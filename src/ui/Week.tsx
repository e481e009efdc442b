/** The seven days of a week as bubbles in a row, to choose from or read-only. */
import { classes } from "./classes.ts";
import { moveFocus } from "./focus.ts";
import { Icon } from "./Icon.tsx";
import styles from "./Week.module.css";

interface WeekProps {
  /** The row's label for screen readers. */
  readonly label: string;
  /** Seven, Monday first. */
  readonly days: readonly { readonly letter: string; readonly name: string }[];
  /** Indexes, 0 = Monday. */
  readonly chosen: readonly number[];
  /** Without it the week is read-only. */
  readonly onToggle?: (day: number) => void;
  /** Shakes the week briefly because no more days can be chosen. A changed number shakes it again; 0 never shakes it. */
  readonly nudge?: number;
}

export function Week({ label, days, chosen, onToggle, nudge = 0 }: WeekProps) {
  const face = (letter: string, on: boolean) => (
    <span aria-hidden="true" className={styles["face"]}>
      <span>{letter}</span>
      <span className={styles["mark"]}>{on && <Icon name="check" className={styles["icon"]} stroke={3.4} />}</span>
    </span>
  );
  return (
    <div className={styles["frame"]}>
      {onToggle === undefined ? (
        <ul className={styles["week"]} aria-label={label}>
          {days.map(({ letter, name }, day) => (
            <li key={name} className={classes(styles["day"], chosen.includes(day) ? styles["on"] : styles["off"])}>
              {face(letter, chosen.includes(day))}
              {chosen.includes(day) && <span className="sr">{name}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <div
          role="group"
          aria-label={label}
          className={classes(styles["week"], nudge > 0 && styles[nudge % 2 === 0 ? "nudgedAgain" : "nudged"])}
          onKeyDown={(event) => moveFocus(event, "button")}
        >
          {days.map(({ letter, name }, day) => (
            <button
              key={name}
              type="button"
              aria-pressed={chosen.includes(day)}
              className={classes(styles["day"], chosen.includes(day) && styles["on"])}
              onClick={() => onToggle(day)}
            >
              {face(letter, chosen.includes(day))}
              <span className="sr">{name}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
