/**
 * Adds the page's colors to the form's URL. Paddle's form takes them from the seller's dashboard; this one takes them from the page. The function's
 * source text is sent to the browser, so it may not use anything outside itself.
 */
export function addPageColours(query: URLSearchParams): void {
  const page = getComputedStyle(document.documentElement);
  for (const name of [
    "primary",
    "primary-press",
    "on-primary",
    "surface",
    "text",
    "quiet",
    "control-line",
    "error",
    "error-soft",
    "success",
    "r-control",
    "page-deep",
  ]) {
    const value = page.getPropertyValue(`--${name}`).trim();
    if (value !== "") query.set(`--${name}`, value);
  }
}
