/** Finds the tests in a file from its syntax tree, so that comments and strings do not count. */
import { readFileSync } from "node:fs";
import { type ESTree, parseSync } from "vite";

export interface DeclaredTest {
  /** Titles of its groups and its own, exactly as in the source, with `%s`, `$key` and `${name}`. */
  readonly titles: readonly string[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Separates the titles of groups and test. */
export const below = " › ";

const modifiers = new Set([
  "each",
  "for",
  "only",
  "skip",
  "skipIf",
  "runIf",
  "todo",
  "fails",
  "concurrent",
  "sequential",
  "serial",
  "parallel",
]);

/** Whether a call like `test.skipIf(ci).each(rows)(…)` declares a test or a group of tests. */
function declares(callee: ESTree.Expression): "test" | "group" | null {
  if (callee.type === "Identifier") return callee.name === "describe" ? "group" : ["test", "it"].includes(callee.name) ? "test" : null;
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression")
    return declares(callee.type === "CallExpression" ? callee.callee : callee.tag);
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return null;
  const of = declares(callee.object);
  if (of === "test" && callee.property.name === "describe") return "group";
  return modifiers.has(callee.property.name) ? of : null;
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The tests of a file, in order. Throws when the file does not parse. */
export function declaredTests(file: string): readonly DeclaredTest[] {
  const source = readFileSync(file, "utf8");
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const found: DeclaredTest[] = [];
  const lineOf = (offset: number): number => source.slice(0, offset).split("\n").length;

  const titleOf = (node: ESTree.Node): string | null => {
    if (node.type === "Literal" && typeof node.value === "string") return node.value;
    if (node.type !== "TemplateLiteral") return null;
    const [only, ...others] = node.quasis;
    return others.length === 0 && only ? (only.value.cooked ?? only.value.raw) : source.slice(node.start + 1, node.end - 1);
  };
  const walk = (node: ESTree.Node, groups: readonly string[]): void => {
    let around = groups;
    if (node.type === "CallExpression" && node.arguments[0] !== undefined) {
      const title = titleOf(node.arguments[0]);
      const kind = title === null ? null : declares(node.callee);
      if (title !== null && kind === "group") around = [...groups, title];
      if (title !== null && kind === "test")
        found.push({ titles: [...groups, title], firstLine: lineOf(node.start), lastLine: lineOf(node.end) });
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, around);
  };
  walk(program, []);
  return found;
}
