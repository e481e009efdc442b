/**
 * The icons of the header, the home page and the first questions. They have a file of their own, `first-icons.svg`: reading all icons would
 * hold up the first tap on a slow phone. An icon that is not listed works as well, only later.
 */
export const firstIcons: readonly string[] = [
  "arrow-left",
  "arrow-right",
  "briefcase",
  "chart-line",
  "chevron-down",
  "clock",
  "graduation-cap",
  "heart",
  "mail",
  "map-pin",
  "menu",
  "messages-square",
  "mic",
  "music",
  "percent",
  "plane",
];
