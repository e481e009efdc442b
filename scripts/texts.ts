/**
 * `npm run texts -- …`
 * - `missing` lists keys that a locale lacks; fails when there is one.
 * - `unused` lists keys that nothing uses; fails when there is one.
 * - `export <locale> [--format csv|xliff] [file]` writes a locale's texts beside the English ones for a translator.
 * - `import <file>` writes them back into the locale's files, all of them or none.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { locales } from "#core/locales.ts";
import * as v from "valibot";
import { exchangeFormats, type FormatName, formatOf } from "./textsExchange.ts";
import { knownLocale, textFile, textSets } from "./textsFiles.ts";
import { exportedRows, importedSources, missingKeys } from "./textsTables.ts";
import { unusedKeys } from "./textsUnused.ts";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { format: { type: "string" } } });
const [command, ...rest] = positionals;
try {
  switch (command) {
    case "missing":
      missing();
      break;
    case "unused":
      unused();
      break;
    case "export":
      exportTexts(rest[0], rest[1]);
      break;
    case "import":
      await importTexts(rest[0]);
      break;
    default:
      throw new Error(
        `${command === undefined ? "A command is missing" : `Unknown command "${command}"`}. Use missing, unused, export or import`,
      );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function missing(): void {
  const gaps = locales.flatMap((locale) => missingKeys(locale).map(({ set, key }) => `${locale}  ${set}  ${key}`));
  for (const gap of gaps) console.log(gap);
  if (gaps.length > 0) throw new Error(`${counted(gaps.length, "text")} missing. Each table must satisfy the English keys to compile`);
  console.log("Every locale has every text");
}

function unused(): void {
  const keys = Object.entries(unusedKeys()).flatMap(([set, unneeded]) => unneeded.map((key) => `${set}  ${key}`));
  for (const key of keys) console.log(key);
  if (keys.length > 0) throw new Error(`${counted(keys.length, "text")} used by no questionnaire, page, block or mail`);
  console.log("Every text is used");
}

function exportTexts(name: string | undefined, chosenFile: string | undefined): void {
  const locale = knownLocale(name);
  const format =
    values.format === undefined && chosenFile !== undefined ? formatOf(chosenFile) : exchangeFormats[formatName(values.format)];
  const file = chosenFile ?? join("build", "texts", `${locale}.${format.extension}`);
  const rows = exportedRows(locale);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, format.write(locale, rows));
  const open = rows.filter(({ target }) => target === "").length;
  console.log(`${file}: ${counted(rows.length, "text")}${open === 0 ? "" : `, ${open} not translated yet`}`);
}

function formatName(name: string | undefined): FormatName {
  return v.parse(v.picklist(["csv", "xliff"], `Unknown format "${name}": csv or xliff`), name ?? "csv");
}

async function importTexts(file: string | undefined): Promise<void> {
  if (file === undefined) throw new Error("No file was named: npm run texts -- import <file>");
  const { locale, rows } = formatOf(file).read(readFileSync(file, "utf8"));
  const { sources, changed, empty, outdated } = await importedSources(locale, rows);
  for (const set of textSets) {
    const source = sources.get(set);
    if (source !== undefined) writeFileSync(textFile(set, locale), source);
  }
  for (const key of outdated) console.log(`English has changed since the export: ${key}`);
  console.log(`${locale}: ${counted(changed, "text")} changed${empty === 0 ? "" : `, ${empty} without translation unchanged`}`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
