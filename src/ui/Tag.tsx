import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Tag.module.css";

/** A word or two on a small speech bubble. */
export function Tag({ children, className }: { readonly children: ReactNode; readonly className?: string | undefined }) {
  return <span className={classes(styles["tag"], className)}>{children}</span>;
}
