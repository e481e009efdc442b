/** Moves the focus to the page's heading after the focused element has disappeared. */
export function focusPage(): void {
  const heading = document.querySelector<HTMLElement>("main h1[tabindex]") ?? document.querySelector("main");
  heading?.focus({ preventScroll: true });
}
