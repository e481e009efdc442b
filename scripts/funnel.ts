/**
 * `npm run funnel -- …`
 * - `check [version …]` proves versions sound in every locale; fails when one is not.
 * - `draw <version> [folder]` writes the graph as SVG and Mermaid.
 * - `diff <version> <version>` prints the differences.
 * - `table` prints the table of all versions in `src/content/questionnaires/README.md`.
 * - `pull <version>` prints a version as canonical JSON, and its SHA-256 on standard error.
 * - `report [--version 76] [--from 2026-11-01] [--to 2026-11-30]` prints the step table and writes it as a page with charts.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "#content/questionnaires/bundleHash.ts";
import { bundleFor, isVersion, questionnaireFor, type Version, versions } from "#content/questionnaires/index.ts";
import { canonicalJson } from "#core/canonicalJson.ts";
import { differences } from "#content/questionnaires/review/differences.ts";
import { mermaidOf, svgOf } from "#content/questionnaires/review/drawing.ts";
import { printFindings } from "#content/questionnaires/review/proof.ts";
import { report } from "./report.ts";
import { versionsTable } from "#content/questionnaires/review/table.ts";

const twice = versions.find((id, at) => versions.indexOf(id) !== at);
if (twice !== undefined) fail(`Two versions in questionnaires/all.ts have the id "${twice}": a copy has kept it.`);

const [command = "check", ...rest] = process.argv.slice(2);
switch (command) {
  case "check":
    checkVersions(rest.length === 0 ? versions : rest.map(known));
    break;
  case "draw":
    draw(known(rest[0]), rest[1] ?? join("build", "funnel"));
    break;
  case "diff":
    for (const line of differences(questionnaireFor(known(rest[0]), "en-US"), questionnaireFor(known(rest[1]), "en-US"))) console.log(line);
    break;
  case "table":
    process.stdout.write(versionsTable());
    break;
  case "pull": {
    const bundle = bundleFor(known(rest[0]));
    console.error(hashOf(bundle));
    console.log(canonicalJson(bundle));
    break;
  }
  case "report":
    await report(rest).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
    break;
  default:
    fail(`Unknown command "${command}". Use check, draw, diff, table, pull or report`);
}

function known(version: string | undefined): Version {
  return version !== undefined && isVersion(version)
    ? version
    : fail(
        `${version === undefined ? "A version is missing" : `Unknown version "${version}"`}; questionnaires/all.ts lists ${versions.join(", ")}`,
      );
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function checkVersions(chosen: readonly Version[]): void {
  const faults = printFindings(chosen, (line) => console.log(line));
  if (faults > 0) fail(`${faults} fault${faults === 1 ? "" : "s"} found`);
}

function draw(version: Version, folder: string): void {
  const definition = questionnaireFor(version, "en-US");
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  for (const [extension, text] of [
    ["svg", svgOf(definition)],
    ["mmd", mermaidOf(definition)],
  ] as const) {
    const file = join(folder, `${version}.${extension}`);
    writeFileSync(file, text);
    console.log(file);
  }
}
