/** A search as people read it: `?locale=de-DE,it-IT&from=2026-11-13`. Every value arrives as text; a screen's schema makes more of it. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Lists are joined by commas; what is empty is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]): readonly string[] => {
    const text = Array.isArray(value) ? value.join(",") : value === undefined || value === null ? "" : String(value);
    return text === "" ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text).replaceAll("%2C", ",")}`];
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
