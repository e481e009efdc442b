import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./controls.module.css";
import { classes } from "./classes.ts";

/** `main`: the primary action; `danger`: affects a person or money; `plain`: no border. */
export type ButtonKind = "main" | "danger" | "plain" | "usual";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
  /** For a button with only an icon. It needs an `aria-label`. */
  readonly square?: boolean;
  /** Shows progress and disables the button. */
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

/** The class for links that look like buttons. */
export function buttonClass(kind: ButtonKind = "usual", small = false): string {
  return classes(styles["button"], styles[kind], small && styles["small"]);
}
