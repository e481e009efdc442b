/**
 * The brand's shape: three round corners and a tight one. The tight corner is bottom left when we speak, bottom right when the visitor
 * speaks.
 */
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import styles from "./SpeechBubble.module.css";

interface SpeechBubbleProps extends ComponentProps<"div"> {
  readonly side?: "we" | "other";
  readonly tone?: "shape-1" | "shape-2" | "shape-3" | "surface" | "primary" | "success";
  readonly large?: boolean;
}

export function SpeechBubble({ side = "we", tone = "shape-2", large = false, className, ...rest }: SpeechBubbleProps) {
  return <div {...rest} className={classes(styles["bubble"], styles[side], styles[tone], large && styles["large"], className)} />;
}
