/** The action button, one primary per screen. With an address it is a link, so it works before the script has loaded. */
import type { ComponentProps, ReactNode } from "react";
import styles from "./Button.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { textKey, unbroken } from "./richText.tsx";
import { Spinner } from "./Spinner.tsx";

interface ButtonLook {
  readonly kind?: "primary" | "secondary" | "link";
  /** An arrow at the end, for a button that leads on. */
  readonly arrow?: boolean;
  readonly icon?: IconName | undefined;
  /** Work is in progress: the button keeps its width and ignores taps. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}
type ButtonProps = ButtonLook &
  (({ readonly href: string } & ComponentProps<"a">) | ({ readonly href?: undefined } & ComponentProps<"button">));

export function Button(props: ButtonProps) {
  const { kind = "primary", arrow = false, icon, busy = false, children, className, ...rest } = props;
  const look = classes(styles["button"], styles[kind], className);
  const inside = (
    <>
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} className={styles["icon"]} stroke={2.2} />}
      <span key={textKey(children)}>{unbroken(children)}</span>
      {arrow && !busy && <Icon name="arrow-right" className={styles["icon"]} stroke={2.4} />}
    </>
  );
  if (rest.href !== undefined) {
    return (
      <a {...rest} className={look} aria-busy={busy || undefined}>
        {inside}
      </a>
    );
  }
  const { href: _none, disabled = false, type = "button", ...button } = rest;
  return (
    <button {...button} type={type} className={look} disabled={disabled || busy} aria-busy={busy || undefined}>
      {inside}
    </button>
  );
}
