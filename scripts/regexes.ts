/**
 * Checks that no regular expression of the product takes more than linear time (ReDoS). One that is put together
 * at run time is no literal and is not looked at: escape what comes from outside (`RegExp.escape`).
 */
import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { parseSync, Visitor } from "vite";

/** How long one check may take, ms; one that takes longer counts as a fault. */
const timeout = 10 * 60_000;

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
  const found = await check(literal.slice(1, end), literal.slice(end + 1), { timeout });
  if (found.status === "vulnerable") wrong.push(`${where.join(", ")}: ${literal} is ${found.complexity.summary}`);
  if (found.status === "unknown") wrong.push(`${where.join(", ")}: ${literal} is not decided, ${found.error.kind}`);
}
for (const line of wrong) console.error(line);
console.log(`${places.size} regular expressions, ${wrong.length} slower than linear or not decided`);
process.exit(wrong.length === 0 ? 0 : 1);
