/** The icons a funnel may name: Lucide's, gathered in one file (`npm run icons`) that is fetched once and is no script. */
import { classes } from "./classes.ts";
import styles from "./Icon.module.css";
import sheet from "./icons.svg";

export const iconNames = [
  "arrow-left",
  "arrow-right",
  "award",
  "baby",
  "badge-check",
  "battery-low",
  "bell",
  "bike",
  "book-open",
  "book-x",
  "brain",
  "briefcase",
  "building-2",
  "bus",
  "calendar",
  "calendar-check",
  "calendar-days",
  "calendar-x",
  "chart-line",
  "check",
  "chevron-down",
  "chevron-right",
  "circle-alert",
  "clock",
  "cloud",
  "coffee",
  "copy",
  "credit-card",
  "download",
  "dumbbell",
  "ear",
  "ellipsis",
  "equal-approximately",
  "external-link",
  "eye",
  "eye-off",
  "feather",
  "file-check",
  "film",
  "flag",
  "footprints",
  "frown",
  "gamepad-2",
  "gauge",
  "gift",
  "globe",
  "graduation-cap",
  "hand",
  "handshake",
  "headphones",
  "heart",
  "heart-handshake",
  "history",
  "hourglass",
  "house",
  "infinity",
  "info",
  "languages",
  "laptop",
  "laugh",
  "life-buoy",
  "lightbulb",
  "list-checks",
  "lock",
  "log-in",
  "luggage",
  "mail",
  "map",
  "map-pin",
  "meh",
  "menu",
  "message-circle",
  "message-circle-dashed",
  "message-circle-off",
  "message-circle-question-mark",
  "message-circle-x",
  "messages-square",
  "mic",
  "minus",
  "moon",
  "mountain",
  "music",
  "newspaper",
  "notebook-pen",
  "party-popper",
  "pause",
  "pencil",
  "percent",
  "phone",
  "plane",
  "play",
  "plus",
  "presentation",
  "puzzle",
  "quote",
  "rabbit",
  "refresh-cw",
  "repeat",
  "rocket",
  "rotate-ccw",
  "route",
  "school",
  "settings",
  "shield-check",
  "shuffle",
  "signpost",
  "smartphone",
  "smile",
  "snowflake",
  "sofa",
  "sparkles",
  "sprout",
  "stamp",
  "star",
  "sun",
  "sunrise",
  "tag",
  "target",
  "theater",
  "thumbs-down",
  "thumbs-up",
  "timer",
  "trending-up",
  "triangle-alert",
  "trophy",
  "turtle",
  "tv",
  "university",
  "user",
  "user-plus",
  "user-round",
  "users",
  "utensils",
  "video",
  "volume-2",
  "wallet",
  "x",
  "zap",
] as const;
export type IconName = (typeof iconNames)[number];

const known: ReadonlySet<unknown> = new Set(iconNames);

export function isIconName(name: unknown): name is IconName {
  return known.has(name);
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
    <svg
      className={classes(styles["icon"], className)}
      width={22}
      height={22}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <use href={`${sheet}#${name}`} />
    </svg>
  );
}
