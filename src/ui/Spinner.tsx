import { classes } from "./classes.ts";
import styles from "./Spinner.module.css";

/** Work in progress. A `label` is announced; without one, the text beside it must say so. */
export function Spinner({ label, large = false }: { readonly label?: string; readonly large?: boolean }) {
  return (
    <span
      className={classes(styles["spinner"], large && styles["large"])}
      role={label === undefined ? undefined : "status"}
      aria-hidden={label === undefined ? true : undefined}
    >
      {label !== undefined && <span className="sr">{label}</span>}
    </span>
  );
}
