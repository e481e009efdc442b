/**
 * The functions of a script that a browser gets as source text: an object literal of them. No function may use anything outside itself, so those
 * that belong together are handed to the first as an argument.
 */
export function sourceOf(parts: Readonly<Record<string, (...input: never[]) => unknown>>): string {
  const lines = Object.entries(parts).map(([name, part]) => `${name}: ${part}`);
  return `{ ${lines.join(",\n")} }`;
}

/** As source text: the URL of the folder that a script comes from. */
export const ownFolder = 'new URL(".", document.currentScript.src).href.replace(/\\/$/, "")';
