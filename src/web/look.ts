/**
 * A page that belongs to no version wears the theme of the funnel that its visitor came from (decision 098). Everybody is sent the same page:
 * the link of a mail says the theme, which may open in another browser, or the device does. Its source stands in the head of each such
 * page (`document.ts`), before anything is painted: it names nothing from outside.
 */
export function wearStoredTheme(themes: readonly string[]): void {
  const { dataset } = document.documentElement;
  if (dataset["themeOf"] !== "visitor") return;
  let theme = new URLSearchParams(location.search).get("look") ?? "";
  try {
    if (themes.includes(theme)) localStorage.setItem("theme", theme);
    theme = localStorage.getItem("theme") ?? "";
  } catch {
    // A browser that keeps nothing: the link's theme, or the locale's.
  }
  if (themes.includes(theme)) dataset["theme"] = theme;
}
