/**
 * Adds the page's colours to the form's address: Paddle's form has the seller's colours from its dashboard, this one takes them from the page.
 * Served as its own source text, so it may use nothing from outside itself.
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
