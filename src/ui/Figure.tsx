/** A figure in front of a colored shape: the head reaches above its upper edge, the body is cropped by its lower edge. */
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Figure.module.css";

interface FigureProps {
  /** A `Picture`. */
  readonly children: ReactNode;
  readonly shape?: 1 | 2 | 3;
  readonly className?: string | undefined;
}

export function Figure({ children, shape = 1, className }: FigureProps) {
  return <span className={classes(styles["figure"], styles[`shape${shape}`], className)}>{children}</span>;
}
