/**
 * Keeps the last press of a button before hydration, and repeats it afterwards (decision 160). The function is inlined in each page
 * (`document.ts`), so it must not use outer names. `entry-client.tsx` sends both events.
 */
export function keepEarlyPress(): void {
  let pressed: HTMLButtonElement | null = null;
  const keep = ({ target }: Event) => {
    pressed = target instanceof Element ? target.closest("button") : null;
  };
  addEventListener("click", keep);
  addEventListener("hydrating", () => removeEventListener("click", keep));
  addEventListener("hydrated", () => {
    if (pressed?.isConnected) pressed.click();
  });
}
