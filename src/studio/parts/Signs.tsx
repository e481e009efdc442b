/** Status, tags, ids and figures. A state is a mark and a word, never a colour alone. */
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Signs.module.css";

export type Tone = "good" | "bad" | "care" | "run" | "none" | "quiet";

export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles["status"], styles[tone])}>{children}</span>;
}

export function Tag({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles["tag"], styles[tone])}>{children}</span>;
}

/** The id of a screen or a version. */
export function Id({ on = false, children }: { readonly on?: boolean; readonly children: ReactNode }) {
  return <span className={classes(styles["id"], on && styles["on"])}>{children}</span>;
}

/** A large number with a label above and a note below. */
export function Figure({
  label,
  value,
  says,
  large = false,
}: {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly says?: ReactNode;
  readonly large?: boolean;
}) {
  return (
    <div className={styles["figure"]}>
      <p className="quiet small strong">{label}</p>
      <p className={classes(styles["value"], large && styles["large"])}>{value}</p>
      {says !== undefined && <p className="quiet tiny">{says}</p>}
    </div>
  );
}

/** A highlighted message: a verdict, an error, a warning. */
export function Notice({
  tone = "quiet",
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={classes(styles["say"], styles[tone])} role={tone === "bad" ? "alert" : undefined}>
      {title !== undefined && <p className="strong">{title}</p>}
      {children}
    </div>
  );
}

/** The definition of a number, opened by a button beside it. */
export function Definition({ of, children }: { readonly of: string; readonly children: string }) {
  return (
    <details className={styles["definition"]}>
      <summary aria-label={`What ${of} means`}>i</summary>
      <p>{children}</p>
    </details>
  );
}
