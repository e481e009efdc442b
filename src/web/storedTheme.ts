/**
 * Sets the theme of a page that belongs to no version: the theme of the visitor's funnel (decision 098). The server sends everybody the
 * same page. The theme comes from the link of a mail, which may open in another browser, or from the device. The function is inlined in
 * the head and runs before the first paint (`document.ts`), so it must not use outer names.
 */
export function applyStoredTheme(themes: readonly string[]): void {
  const { dataset } = document.documentElement;
  if (dataset["themeOf"] !== "visitor") return;
  let theme = new URLSearchParams(location.search).get("look") ?? "";
  try {
    if (themes.includes(theme)) localStorage.setItem("theme", theme);
    theme = localStorage.getItem("theme") ?? "";
  } catch {
    // No storage: the link's theme or the locale's default applies.
  }
  if (themes.includes(theme)) dataset["theme"] = theme;
}
