/** For what had the focus and is gone: the page's heading takes it, as after a step. */
export function focusPage(): void {
  const heading = document.querySelector<HTMLElement>("main h1[tabindex]") ?? document.querySelector("main");
  heading?.focus({ preventScroll: true });
}
