/** An answer as a full-width card: a link if the answer has an address, else a button. */
import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./OptionCard.module.css";
import { Tick } from "./Tick.tsx";

interface OptionCardLook {
  readonly title: ReactNode;
  /** A second line in smaller type. */
  readonly detail?: ReactNode;
  readonly icon?: IconName | undefined;
  /** Fills the start of the card in place of an icon. */
  readonly picture?: ReactNode;
  /** The letter or digit that chooses it; shown from 768 px. */
  readonly keyHint?: string | undefined;
  readonly chosen?: boolean;
  /** Icon above the title, for cards in two columns. */
  readonly tile?: boolean;
  /** Color of the shape behind the icon or picture. */
  readonly shape?: 1 | 2 | 3 | undefined;
  /** Always shows a tick: for multiple choice, or for a choice that a button confirms. */
  readonly marked?: boolean;
}
type OptionCardProps = OptionCardLook &
  (
    | ({ readonly href: string } & Omit<ComponentProps<"a">, "title">)
    | ({ readonly href?: undefined } & Omit<ComponentProps<"button">, "title">)
  );

export function OptionCard(props: OptionCardProps) {
  const { title, detail, icon, picture, keyHint, chosen = false, tile = false, shape = 1, marked = false, className, ...rest } = props;
  const look = classes(
    styles["card"],
    tile && styles["tile"],
    picture !== undefined && styles["pictured"],
    chosen && styles["chosen"],
    className,
  );
  const patch = styles[`shape${shape}`];
  const inside = (
    <>
      {picture === undefined ? (
        icon !== undefined && <span className={classes(styles["icon"], patch)}>{<Icon name={icon} />}</span>
      ) : (
        <span className={classes(styles["picture"], patch)}>{picture}</span>
      )}
      <span className={styles["words"]}>
        <span className={styles["title"]}>{title}</span>
        {detail !== undefined && <span className={styles["detail"]}>{detail}</span>}
      </span>
      {chosen || marked ? (
        <Tick on={chosen} className={styles["end"]} />
      ) : (
        keyHint !== undefined && (
          <kbd className={styles["key"]} aria-hidden="true">
            {keyHint}
          </kbd>
        )
      )}
    </>
  );
  const shortcut = keyHint === undefined ? {} : { "aria-keyshortcuts": keyHint };
  if (rest.href !== undefined) {
    return (
      <a aria-current={chosen || undefined} {...shortcut} {...rest} className={look}>
        {inside}
      </a>
    );
  }
  const { href: _none, type = "button", ...button } = rest;
  return (
    <button {...(button.role === undefined ? { "aria-pressed": chosen } : {})} {...shortcut} {...button} type={type} className={look}>
      {inside}
    </button>
  );
}
