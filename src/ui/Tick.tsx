import { classes } from "./classes.ts";
import { Icon } from "./Icon.tsx";
import styles from "./Tick.module.css";

/** The round mark of a choice: a tick when chosen, an empty ring when not. The control around it exposes the state. */
export function Tick({ on, className }: { readonly on: boolean; readonly className?: string | undefined }) {
  return (
    <span className={classes(styles["mark"], on ? styles["on"] : styles["ring"], className)} aria-hidden="true">
      {on && <Icon name="check" className={styles["icon"]} stroke={3} />}
    </span>
  );
}
