/** The icons a funnel may name: Lucide's, gathered in two files (`npm run icons`) that are fetched once and are no script. */
import { classes } from "./classes.ts";
import earlySheet from "./first-icons.svg?no-inline";
import { firstIcons } from "./firstIcons.ts";
import type { iconNames } from "./iconNames.ts";
import styles from "./Icon.module.css";
import sheet from "./icons.svg";

export type IconName = (typeof iconNames)[number];

/** Whether a version names an icon here. The checker refuses names that are not drawn, so that no page carries their list. */
export function isIconName(name: unknown): name is IconName {
  return typeof name === "string" && /^[a-z][a-z\d-]*$/.test(name);
}

interface IconProps {
  readonly name: IconName;
  readonly className?: string | undefined;
  /** Line width in the 24 unit grid; heavier for small ticks and arrows. */
  readonly stroke?: number;
}

/** An icon beside words: it is hidden from screen readers, the words carry the meaning. 22 px unless a class says otherwise. */
export function Icon({ name, className, stroke = 1.9 }: IconProps) {
  return (
    <svg className={classes(styles["icon"], className)} width={22} height={22} strokeWidth={stroke} aria-hidden="true" focusable="false">
      <use href={`${firstIcons.includes(name) ? earlySheet : sheet}#${name}`} />
    </svg>
  );
}
