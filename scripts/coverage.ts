/**
 * Checks `docs/spec-coverage.md` and `docs/security.md`: every file in a row exists, and every test exists in its file under exactly
 * that title.
 * `--open` lists open statements.
 * `--ran`, after the tests: also checks in the reports that every named test ran and passed in each case. Cases may be skipped if others
 * passed, because Redis or ClickHouse may be missing.
 * `--long`, after the long tests: also checks those, and allows no skipped case.
 */
import { existsSync, readFileSync } from "node:fs";
import { journeyTests, type RanTest, unitTests } from "./testReports.ts";
import { below, declaredTests, type DeclaredTest } from "./testTitles.ts";

interface Row {
  readonly id: string;
  readonly statement: string;
  readonly livesIn: string;
  readonly state: string;
  readonly heldBy: string;
}

const document = "docs/spec-coverage.md";
const securityDocument = "docs/security.md";
/** The cells of the table rows whose line matches `beginning`. */
const tableIn = (file: string, beginning: RegExp): string[][] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => beginning.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
const rows: Row[] = tableIn(document, /^\| 00[01]-/).map(([, id = "", statement = "", livesIn = "", state = "", heldBy = ""]) => ({
  id,
  statement,
  livesIn,
  state,
  heldBy,
}));

const declared = new Map<string, readonly DeclaredTest[]>();
function testsIn(file: string): readonly DeclaredTest[] {
  const known = declared.get(file) ?? declaredTests(file);
  declared.set(file, known);
  return known;
}

const nameOf = ({ titles }: DeclaredTest): string => titles.join(below);

/** The test that a reference names by its title, with or without groups; otherwise a sentence about the fault. */
function testNamed(file: string, name: string): DeclaredTest | string {
  if (!existsSync(file)) return `${file} does not exist`;
  if (!/\.(test|spec)\.tsx?$/.test(file)) return `${file} is no test`;
  const all = testsIn(file);
  const named = all.filter((test) => test.titles.some((_, first) => test.titles.slice(first).join(below) === name));
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    return new Set(named.map(nameOf)).size < named.length
      ? `${file} has "${name}" ${named.length} times in one group: give each a title of its own`
      : `${file} has several tests "${name}": name one with its group, ${named.map((test) => `"${nameOf(test)}"`).join(" or ")}`;
  const near = name === "" ? [] : all.filter((test) => nameOf(test).includes(name));
  return `${file} has no test "${name}"${near.length > 0 ? `: meant is ${near.map((test) => `"${nameOf(test)}"`).join(" or ")}` : ""}`;
}

const wrong: string[] = [];
const held: { readonly row: string; readonly file: string; readonly test: DeclaredTest }[] = [];
/** Records each test that a row names, or what is wrong with its name. */
function holdTests(row: string, heldBy: string): void {
  for (const entry of heldBy.split(/; (?=\S+ › )/)) {
    const [file = "", ...titles] = entry.split(below);
    const test = testNamed(file, titles.join(below));
    if (typeof test === "string") wrong.push(`${row}: ${test}`);
    else held.push({ row, file, test });
  }
}

const seen = new Set<string>();
for (const row of rows) {
  if (seen.has(row.id)) wrong.push(`${row.id} stands twice`);
  seen.add(row.id);
  if (row.statement === "" || row.livesIn === "" || row.state === "" || row.heldBy === "") wrong.push(`${row.id} has an empty cell`);
  for (const file of row.livesIn.split(", ")) if (!existsSync(file)) wrong.push(`${row.id}: ${file} does not exist`);
  const [, decision] = /^differs: (decisions\/[^;]+\.md); the document says ./.exec(row.state) ?? [];
  if (decision === undefined && row.state !== "held" && row.state !== "open") wrong.push(`${row.id}: "${row.state}" is no state`);
  if (decision !== undefined && !existsSync(decision)) wrong.push(`${row.id}: ${decision} does not exist`);
  if (row.state !== "open") holdTests(row.id, row.heldBy);
}
if (rows.length < 250) wrong.push(`only ${rows.length} rows were found in ${document}`);

const securityStates = ["held", "differs", "open", "not applicable"];
const requirements = tableIn(securityDocument, /^\| V\d/).map(([, id = "", , state = "", where = "", test = ""]) => ({
  id,
  state,
  where,
  test,
}));
for (const { id, state, where, test } of requirements) {
  if (seen.has(id)) wrong.push(`${id} stands twice`);
  seen.add(id);
  if (!securityStates.includes(state)) wrong.push(`${id}: "${state}" is no state`);
  for (const file of where.split(", ")) if (file !== "-" && !existsSync(file)) wrong.push(`${id}: ${file} does not exist`);
  if (state === "held" && !test.startsWith("no test: ")) holdTests(id, test);
}

/** Vitest says "skipped" or "pending", Playwright "skipped". */
const isSkipped = (status: string): boolean => status === "skipped" || status === "pending";

/** Reads a runner's report. Without one the runner has crashed, and none of its tests have run. */
function ranBy(file: string, read: (file: string) => readonly RanTest[]): readonly RanTest[] {
  if (existsSync(file)) return read(file);
  wrong.push(`there is no report ${file}`);
  return [];
}
if (process.argv.includes("--ran")) {
  const ran = Map.groupBy(
    [...ranBy("test-results/unit.json", unitTests), ...ranBy("test-results/journeys.json", journeyTests)],
    ({ file }) => file,
  );
  const long = process.argv.includes("--long");
  for (const { row, file, test } of held) {
    if (!long && file.startsWith("test/long/")) continue;
    const cases = (ran.get(file) ?? []).filter(({ line }) => test.firstLine <= line && line <= test.lastLine);
    if (cases.length === 0) wrong.push(`${row}: ${file}${below}${nameOf(test)} did not run`);
    const passedOnce = cases.some(({ passed }) => passed);
    for (const { name, status, passed } of cases)
      if (!passed && (long || !passedOnce || !isSkipped(status)))
        wrong.push(`${row}: ${file}${below}${nameOf(test)} has not passed: "${name}" is ${status}`);
  }
}

const open = rows.filter((row) => row.state === "open");
const differing = rows.filter((row) => row.state.startsWith("differs"));
if (process.argv.includes("--open")) for (const row of open) console.log(`${row.id}  ${row.statement}`);
console.log(
  `${rows.length} statements: ${rows.length - open.length - differing.length} held, ${differing.length} differ on purpose, ${open.length} open`,
);
const inState = securityStates.map((state) => `${requirements.filter((one) => one.state === state).length} ${state}`);
console.log(`${requirements.length} rows of security: ${inState.join(", ")}`);
for (const line of wrong) console.error(line);
process.exit(wrong.length === 0 ? 0 : 1);
