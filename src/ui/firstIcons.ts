/**
 * The icons of the header, the home page and the first questions. They are in their own file, `first-icons.svg`, because loading all
 * icons would delay the first tap on a slow phone. Icons that are not listed also work, but appear later.
 */
export const firstIcons: readonly string[] = [
  "arrow-left",
  "arrow-right",
  "briefcase",
  "chart-line",
  "chevron-down",
  // Of an error: without a connection nothing more loads.
  "circle-alert",
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
