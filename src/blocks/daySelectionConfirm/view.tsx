import { Week } from "#ui/Week.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

const week = [0, 1, 2, 3, 4, 5, 6] as const;

export function View({ content, state, site }: BlockViewProps<Content>) {
  return (
    <div className={styles["confirm"]}>
      <Week
        label={site.t("block.daySelectionConfirm.label")}
        days={week.map((day) => ({ letter: site.formats.weekday(day, "narrow"), name: site.formats.weekday(day, "long") }))}
        chosen={state.days}
      />
      <p>{site.say(content.text)}</p>
    </div>
  );
}
