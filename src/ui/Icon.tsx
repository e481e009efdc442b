/** The icons that a funnel may use: Lucide's, in two SVG files (`npm run icons`) that are loaded once and are not part of the script. */
import { classes } from "./classes.ts";
import earlySheet from "./first-icons.svg?no-inline";
import { firstIcons } from "./firstIcons.ts";
import type { iconNames } from "./iconNames.ts";
import styles from "./Icon.module.css";
import sheet from "./icons.svg";

export type IconName = (typeof iconNames)[number];

/** Whether the name is an icon of the icon set. A page does not need the list of names: the checker rejects unknown ones. */
export function isIconName(name: unknown): name is IconName {
  return typeof name === "string" && /^[a-z][a-z\d-]*$/.test(name);
}

interface IconProps {
  readonly name: IconName;
  readonly className?: string | undefined;
  /** Line width on the 24-unit grid; thicker for small ticks and arrows. */
  readonly stroke?: number;
}

/** An icon beside text. Hidden from screen readers, since the text carries the meaning. 22 px unless a class overrides it. */
export function Icon({ name, className, stroke = 1.9 }: IconProps) {
  return (
    <svg className={classes(styles["icon"], className)} width={22} height={22} strokeWidth={stroke} aria-hidden="true" focusable="false">
      <use href={`${firstIcons.includes(name) ? earlySheet : sheet}#${name}`} />
    </svg>
  );
}
