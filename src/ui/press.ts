/** Whether a mouse button is held, or what a browser makes of a tap at its end. */
let pressed = false;
const waiting: (() => void)[] = [];

if (typeof document !== "undefined") {
  document.addEventListener("mousedown", () => (pressed = true), true);
  for (const end of ["mouseup", "dragend"]) document.addEventListener(end, release, true);
}

/** The click that belongs to the press comes in the same task. */
function release() {
  pressed = false;
  setTimeout(() => {
    for (const act of waiting.splice(0)) act();
  });
}

/** Acts at once, or after the press that is going on: what moves the page under a finger takes its click away. */
export function afterPress(act: () => void): void {
  if (pressed) waiting.push(act);
  else act();
}
