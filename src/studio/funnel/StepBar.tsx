import type { Step } from "../contract/funnel.ts";
import styles from "./funnel.module.css";

/** A bar of a screen's visitors in three parts: went on, left, still there. `most` visitors fill the width. */
export function StepBar({
  step: { wentOn, left, stillThere },
  most,
  worst,
}: {
  readonly step: Step;
  readonly most: number;
  readonly worst: boolean;
}) {
  const width = (count: number) => ({ width: `${(100 * count) / Math.max(1, most)}%` });
  return (
    <span className={styles["bar"]} role="img" aria-label={`${wentOn} went on, ${left} left, ${stillThere} still there`}>
      <i className={styles["on"]} style={width(wentOn)} />
      <i className={worst ? styles["lost"] : styles["left"]} style={width(left)} />
      <i className={styles["there"]} style={width(stillThere)} />
    </span>
  );
}
