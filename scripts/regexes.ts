/**
 * Checks that every regular expression in `src` runs in linear time (ReDoS). Expressions that are built at run time are not checked: escape
 * outside input in them with `RegExp.escape`.
 */
import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { parseSync, Visitor } from "vite";

/**
 * A check that takes longer than `timeout`, ms, counts as a fault. Its phases have no time limits. The library's own, 0.1 to 1 s, ended phases early on a
 * busy machine, and changed the result.
 */
const limits = { timeout: 10 * 60_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null } as const;

const places = new Map<string, string[]>();
for (const file of globSync("src/**/*.{ts,tsx}").toSorted()) {
  if (/\.(?:test|conformance)\.tsx?$/.test(file)) continue;
  const source = readFileSync(file, "utf8");
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const place = `${file}:${source.slice(0, node.start).split("\n").length}`;
      places.set(source.slice(node.start, node.end), [...(places.get(source.slice(node.start, node.end)) ?? []), place]);
    },
  }).visit(parseSync(file, source).program);
}

const wrong: string[] = [];
for (const [literal, where] of places) {
  const end = literal.lastIndexOf("/");
  const found = await check(literal.slice(1, end), literal.slice(end + 1), limits);
  if (found.status === "vulnerable") wrong.push(`${where.join(", ")}: ${literal} is ${found.complexity.summary}`);
  if (found.status === "unknown") wrong.push(`${where.join(", ")}: ${literal} could not be checked: ${found.error.kind}`);
}
for (const line of wrong) console.error(line);
console.log(`${places.size} regular expressions, ${wrong.length} are slower than linear or could not be checked`);
process.exit(wrong.length === 0 ? 0 : 1);
