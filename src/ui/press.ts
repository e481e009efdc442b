/** Whether a mouse button is held, or the browser simulates a mouse press at the end of a tap. */
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

/** Acts at once, or after the current press: a click is lost if the page moves under the finger. */
export function afterPress(act: () => void): void {
  if (pressed) waiting.push(act);
  else act();
}
