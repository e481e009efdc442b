/** Whether a mouse button is held, or the browser is simulating a mouse press at the end of a tap. */
let pressed = false;
const waiting: (() => void)[] = [];

if (typeof document !== "undefined") {
  document.addEventListener("mousedown", () => (pressed = true), true);
  for (const end of ["mouseup", "dragend"]) document.addEventListener(end, release, true);
}

/** The click that belongs to the press fires in the same task. */
function release() {
  pressed = false;
  setTimeout(() => {
    for (const act of waiting.splice(0)) act();
  });
}

/** Acts at once, or after the current press: if the page moved under the finger, the click would be lost. */
export function afterPress(act: () => void): void {
  if (pressed) waiting.push(act);
  else act();
}
