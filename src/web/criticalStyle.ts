/** The part of a style sheet that a page needs for its first paint; the whole of it comes later (`laterStyles.ts`, decision 161). */

interface Rule {
  readonly text: string;
  /** The classes that each of its selectors asks for; null for what belongs to every page. */
  readonly selectors: readonly (readonly string[])[] | null;
}
interface Group {
  /** `@media (…)` and the like. */
  readonly condition: string;
  readonly rules: readonly (Rule | Group)[];
}

export type StyleSheet = readonly (Rule | Group)[];

/** Reads a sheet as the build writes it: minified, without comments and nesting. */
export function readStyleSheet(css: string): StyleSheet {
  const rules: (Rule | Group)[] = [];
  let start = 0;
  let at = 0;
  while (at < css.length) {
    const end = endOfPart(css, at);
    const opening = css.indexOf("{", start);
    const isBlock = css[end] === "}";
    const text = css.slice(start, end + 1);
    if (isBlock) rules.push(ruleOf(text, css.slice(start, opening)));
    else if (text.trim() !== "") rules.push({ text, selectors: null });
    start = at = end + 1;
  }
  return rules;
}

/**
 * The rules whose selectors can meet a page with these classes, or what becomes of it at a tap. Faces that are fetched are left out:
 * they come with the whole sheet.
 *
 * @param theme the one theme that the page can wear; null where its visitor's is not known yet
 */
export function criticalPart(sheet: StyleSheet, classes: ReadonlySet<string>, theme: string | null): string {
  return sheet
    .map((rule) => {
      if ("rules" in rule) {
        const inside = criticalPart(rule.rules, classes, theme);
        return inside === "" ? "" : `${rule.condition}{${inside}}`;
      }
      if (isFetchedFace(rule) || (theme !== null && isOfAnotherTheme(rule, theme))) return "";
      return rule.selectors === null || rule.selectors.some((names) => names.length === 0 || names.some((name) => classes.has(name)))
        ? rule.text
        : "";
    })
    .join("");
}

function isFetchedFace(rule: Rule | Group): boolean {
  return "text" in rule && rule.text.startsWith("@font-face") && rule.text.includes("url(");
}

/** Its selectors name themes, and none of them this one. The default theme's also stand under `:root`; each theme sets all that another sets. */
function isOfAnotherTheme({ text }: Rule, theme: string): boolean {
  const selectors = text.slice(0, text.indexOf("{")).split(",");
  const themes = selectors.map((selector) => /\[data-theme=["']?(\w+)["']?\]/.exec(selector)?.[1]);
  const isOnlyThemes = selectors.every((selector, at) => themes[at] !== undefined || selector.trim() === ":root");
  return isOnlyThemes && themes.some((named) => named !== undefined) && !themes.includes(theme);
}

const frames = /@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;

/**
 * Sheets without the custom properties and the keyframes that nothing uses.
 *
 * @param page the page's HTML, whose inline styles use some
 */
export function usedPart(sheets: readonly string[], page: string): readonly string[] {
  const text = [page, ...sheets].join("\n");
  const used = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const withoutFrames = text.replaceAll(frames, "");
  const shorter = sheets.map((sheet) =>
    withProperties(sheet, used).replaceAll(frames, (whole, name: string) =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(withoutFrames) ? whole : "",
    ),
  );
  // What only an unused property used is unused as well.
  return shorter.join() === sheets.join() ? sheets : usedPart(shorter, page);
}

/** Without the declarations of other custom properties. */
function withProperties(sheet: string, used: ReadonlySet<string | undefined>): string {
  let kept = "";
  let at = 0;
  for (const { index, 1: name } of sheet.matchAll(/(?<=[{;])(--[\w-]+):/g)) {
    if (index < at || used.has(name)) continue;
    kept += sheet.slice(at, index);
    const end = endOfValue(sheet, index);
    at = sheet[end] === ";" ? end + 1 : end;
  }
  return kept + sheet.slice(at);
}

export function classesIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" ")));
}

/** The index of the `}` or `;` that ends the rule that begins at `from`. */
const endOfPart = (css: string, from: number) => endAt(css, from, 0);
/** The index of the `}` or `;` that ends the declaration at `from`; the brace is its rule's. */
const endOfValue = (css: string, from: number) => endAt(css, from, 1);

/** Where the braces are as many as `outside` says, and a brace or semicolon ends what began at `from`. */
function endAt(css: string, from: number, outside: 0 | 1): number {
  let depth = outside;
  let quote = "";
  for (let at = from; at < css.length; at += 1) {
    const letter = css[at] ?? "";
    if (letter === "\\") at += 1;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "{" || letter === "(") depth += 1;
    else if (letter === "}" || letter === ")") depth -= 1;
    if (quote === "" && ((depth === 0 && letter === "}") || (depth === outside && letter === ";"))) return at;
  }
  return css.length - 1;
}

function ruleOf(text: string, prelude: string): Rule | Group {
  if (/^\s*@(?:media|supports|container|layer)/.test(prelude))
    return { condition: prelude, rules: readStyleSheet(text.slice(prelude.length + 1, -1)) };
  if (prelude.trim().startsWith("@")) return { text, selectors: null };
  const selectors = withoutArguments(prelude)
    .split(",")
    .map((selector) => [...selector.matchAll(/\.(-?[_a-zA-Z][-\w]*)/g)].map(([, name = ""]) => name));
  return { text, selectors };
}

/** What stands in `:not(…)` and `:is(…)` excludes nothing here. */
function withoutArguments(selector: string): string {
  const shorter = selector.replaceAll(/\([^()]*\)/g, "");
  return shorter === selector ? selector : withoutArguments(shorter);
}
