/** Checks `docs/spec-coverage.md`: every file and every test that a row names exists. `--open` lists what is still open. */
import { existsSync, readFileSync } from "node:fs";

interface Row {
  readonly id: string;
  readonly statement: string;
  readonly livesIn: string;
  readonly state: string;
  readonly heldBy: string;
}

const document = "docs/spec-coverage.md";
const rows: Row[] = readFileSync(document, "utf8")
  .split("\n")
  .filter((line) => /^\| 00[01]-/.test(line))
  .map((line) => {
    const [, id = "", statement = "", livesIn = "", state = "", heldBy = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { id, statement, livesIn, state, heldBy };
  });

/** A test file without its comments: what only a comment names holds nothing. */
const tests = new Map<string, string>();
function testsIn(file: string): string {
  const known = tests.get(file) ?? readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  tests.set(file, known);
  return known;
}

const wrong: string[] = [];
const seen = new Set<string>();
for (const row of rows) {
  if (seen.has(row.id)) wrong.push(`${row.id} stands twice`);
  seen.add(row.id);
  if (row.statement === "" || row.livesIn === "" || row.state === "" || row.heldBy === "") wrong.push(`${row.id} has an empty cell`);
  for (const file of row.livesIn.split(", ")) if (!existsSync(file)) wrong.push(`${row.id}: ${file} does not exist`);
  const [, decision] = /^differs: (decisions\/[^;]+\.md); the document says ./.exec(row.state) ?? [];
  if (decision === undefined && row.state !== "held" && row.state !== "open") wrong.push(`${row.id}: "${row.state}" is no state`);
  if (decision !== undefined && !existsSync(decision)) wrong.push(`${row.id}: ${decision} does not exist`);
  if (row.state !== "open") {
    for (const held of row.heldBy.split("; ")) {
      const [file = "", name = ""] = held.split(" › ");
      if (!existsSync(file)) wrong.push(`${row.id}: ${file} does not exist`);
      else if (!/\.(test|spec)\.tsx?$/.test(file)) wrong.push(`${row.id}: ${file} is no test`);
      else if (name === "" || !testsIn(file).includes(name)) wrong.push(`${row.id}: ${file} has no test "${name}"`);
    }
  }
}
if (rows.length < 250) wrong.push(`only ${rows.length} rows were found in ${document}`);

const open = rows.filter((row) => row.state === "open");
const differing = rows.filter((row) => row.state.startsWith("differs"));
if (process.argv.includes("--open")) for (const row of open) console.log(`${row.id}  ${row.statement}`);
console.log(
  `${rows.length} statements: ${rows.length - open.length - differing.length} held, ${differing.length} differ on purpose, ${open.length} open`,
);
for (const line of wrong) console.error(line);
process.exit(wrong.length === 0 ? 0 : 1);
