/** Critical CSS: the part of a style sheet that the first paint needs. The full sheet loads later (`laterStyles.ts`, decision 161). */

interface Rule {
  readonly text: string;
  /** The classes in each selector; null for a rule that every page needs. */
  readonly selectors: readonly (readonly string[])[] | null;
}
interface Group {
  /** For example `@media (…)`. */
  readonly condition: string;
  readonly rules: readonly (Rule | Group)[];
}

export type StyleSheet = readonly (Rule | Group)[];

/** Parses a style sheet of the build: minified, without comments or nesting. */
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
 * The rules whose selectors can match a page with these classes. Font faces with a URL are left out: they load with the full sheet.
 *
 * @param theme the page's theme; null if it depends on the visitor
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

/** The families whose faces load with the full sheet. */
export function fetchedFamilies(sheet: StyleSheet): readonly string[] {
  const faces = sheet.flatMap((rule) => (isFetchedFace(rule) && "text" in rule ? [rule.text] : []));
  return [...new Set(faces.flatMap((face) => /font-family:\s*"?([^;"}]+)/.exec(face)?.[1] ?? []))];
}

/** Removes families from lists of fonts: a browser looks for each one on the device before it shows text. */
export function withoutFamilies(css: string, families: readonly string[]): string {
  return families.reduce(
    (shorter, family) => shorter.replaceAll(new RegExp(`(?<=[:,]\\s*)"?${RegExp.escape(family)}"?,\\s*`, "g"), ""),
    css,
  );
}

function isFetchedFace(rule: Rule | Group): boolean {
  return "text" in rule && rule.text.startsWith("@font-face") && rule.text.includes("url(");
}

/**
 * Whether a rule sets only the tokens of other themes. The default theme's rule also has `:root` as a selector. It can be left out too,
 * because every theme sets all tokens.
 */
function isOfAnotherTheme({ text }: Rule, theme: string): boolean {
  const selectors = text.slice(0, text.indexOf("{")).split(",");
  const themes = selectors.map((selector) => /\[data-theme=["']?(\w+)["']?\]/.exec(selector)?.[1]);
  const isOnlyThemes = selectors.every((selector, at) => themes[at] !== undefined || selector.trim() === ":root");
  return isOnlyThemes && themes.some((named) => named !== undefined) && !themes.includes(theme);
}

const frames = /@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;

/**
 * Removes unused custom properties and keyframes.
 *
 * @param page the page's HTML: its inline styles use custom properties too
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
  // Removing a property can make another one unused.
  return shorter.join() === sheets.join() ? sheets : usedPart(shorter, page);
}

/** Removes the declarations of custom properties that are not in `used`. */
function withProperties(sheet: string, used: ReadonlySet<string | undefined>): string {
  let kept = "";
  let at = 0;
  for (const found of sheet.matchAll(/[{;](--[\w-]+):/g)) {
    // Behind the brace or semicolon.
    const index = found.index + 1;
    if (index < at || used.has(found[1])) continue;
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

/** The index of the brace or semicolon at depth `outside` that ends the part that begins at `from`. */
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

/** Drops the arguments of `:not(…)` and `:is(…)`: they must not exclude a rule. */
function withoutArguments(selector: string): string {
  const shorter = selector.replaceAll(/\([^()]*\)/g, "");
  return shorter === selector ? selector : withoutArguments(shorter);
}
