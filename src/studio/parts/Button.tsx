import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./controls.module.css";
import { classes } from "./classes.ts";

/** `main` is the one thing to do; `danger` costs somebody something; `plain` has no border. */
export type ButtonKind = "main" | "danger" | "plain" | "usual";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
  /** Only a picture: `aria-label` says what it does. */
  readonly square?: boolean;
  /** Under way: it says so and cannot be pressed again. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = "usual", small = false, square = false, busy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClass(kind, small), square && styles["square"], className)}
    />
  );
}

/** For links that look like buttons. */
export function buttonClass(kind: ButtonKind = "usual", small = false): string {
  return classes(styles["button"], styles[kind], small && styles["small"]);
}
