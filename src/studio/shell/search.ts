/** Readable search parameters: `?locale=de-DE,it-IT&from=2026-11-13`. Values are text; each screen's schema parses them. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Joins lists by commas and omits empty values. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]): readonly string[] => {
    const text = Array.isArray(value) ? value.join(",") : value === undefined || value === null ? "" : String(value);
    return text === "" ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text).replaceAll("%2C", ",")}`];
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
