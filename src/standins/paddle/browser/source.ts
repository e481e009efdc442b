/**
 * The source text of functions, as one object. A script is sent to the browser as the source text of a function. So it cannot use anything outside itself: the
 * functions that it needs are sent with it, as its argument.
 */
export function sourceOf(parts: Readonly<Record<string, (...input: never[]) => unknown>>): string {
  const lines = Object.entries(parts).map(([name, part]) => `${name}: ${part}`);
  return `{ ${lines.join(",\n")} }`;
}

/** As source text: the URL of the folder that a script comes from. */
export const ownFolder = 'new URL(".", document.currentScript.src).href.replace(/\\/$/, "")';
