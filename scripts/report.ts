/** `npm run funnel -- report [--version 76] [--from 2026-11-01] [--to 2026-12-01] [--out folder]`: the step table of the configured database. */
import { isVersion, questionnaireFor } from "#content/questionnaires/index.ts";
import { escapeHtml } from "#core/escapeHtml.ts";
import type { Settings } from "#server/base/settings.ts";
import { readEnv } from "#server/env.ts";
import { countedWhereBest } from "#server/events/clickhouse/reading.ts";
import { type VersionReport, versionReports } from "#server/events/report.ts";
import { idleAfter, type StepCounts } from "#server/events/tally.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { replayedUntil, writtenUntil } from "#server/store/standby.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { headingOf } from "#content/questionnaires/review/words.ts";

const day = 24 * 60 * 60 * 1000;

export interface ReportOptions {
  readonly version: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly out: string;
}

/** Parses the command's options. Days are UTC and inclusive. Throws an error with a sentence for the user. */
export function readReportOptions(args: readonly string[]): ReportOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { version: { type: "string" }, from: { type: "string" }, to: { type: "string" }, out: { type: "string" } },
  });
  const dayOf = (name: "from" | "to"): number | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time)) throw new Error(`--${name} must be a day like 2026-11-20, but is ${value}.`);
    return time;
  };
  const to = dayOf("to");
  return {
    version: values.version,
    from: dayOf("from"),
    to: to === undefined ? undefined : to + day,
    out: values.out ?? join("build", "report"),
  };
}

/** Opens the configured database, or its standby if there is one. `known`: the time up to which its data is complete, ms. */
async function openForReading({
  databaseUrl,
  reportDatabaseUrl,
  dataDir,
}: Settings): Promise<{ readonly store: Store; readonly now: number }> {
  const now = Date.now();
  const file = join(dataDir, "parlando.sqlite");
  if (databaseUrl === null && !existsSync(file)) throw new Error(`There is no database ${file} yet: start the site once, or set DATA_DIR.`);
  if (databaseUrl === null) return { store: openSqlite(file), now };
  const tell = (error: Error) => console.error(error.message);
  const store = openPostgres(reportDatabaseUrl ?? databaseUrl, tell);
  if (reportDatabaseUrl === null) return { store, now };
  const primary = openPostgres(databaseUrl, tell);
  try {
    const known = (await replayedUntil(store.read, { written: await writtenUntil(primary.read) })) ?? now;
    console.log(`Read from the standby, whose data is complete until ${inMinutes(known)} UTC.\n`);
    return { store, now: known };
  } catch (error) {
    await store.close();
    throw error;
  } finally {
    await primary.close();
  }
}
const inMinutes = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");

/** Prints the reports and writes them as a page. */
export async function report(args: readonly string[]): Promise<void> {
  const { out, ...wish } = readReportOptions(args);
  const settings = readEnv(process.env);
  const { store, now } = await openForReading(settings);
  try {
    const reports = await countedWhereBest(
      { queries: store.read, url: settings.clickhouseUrl, isStandby: settings.reportDatabaseUrl !== null },
      (reading) => versionReports(reading, { ...wish, now }),
    );
    if (reports.length === 0) {
      console.log("There were no visitors in that time.");
      return;
    }
    for (const each of reports) console.log(`${inText(each, headingsOf(each.version))}\n`);
    mkdirSync(out, { recursive: true });
    const page = join(out, "funnel.html");
    writeFileSync(
      page,
      reportPage(
        reports.map((each) => ({ report: each, headings: headingsOf(each.version) })),
        now,
      ),
    );
    console.log(page);
  } finally {
    await store.close();
  }
}

/** The questions' headings by id; empty for a version that no longer exists. */
function headingsOf(version: string): ReadonlyMap<number, string> {
  if (!isVersion(version)) return new Map();
  return new Map(questionnaireFor(version, "en-US").questions.map((question) => [question.id, headingOf(question)]));
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);
const seconds = (value: number | null): string =>
  value === null ? "–" : value < 90 ? `${value.toFixed(0)} s` : `${(value / 60).toFixed(1)} min`;

const columns = ["question", "entered", "went on", "left", "still there", "left of entered", "time"] as const;
function cellsOf({ questionId, entered, wentOn, left, stillThere, medianSeconds }: StepCounts): readonly string[] {
  return [
    String(questionId),
    String(entered),
    String(wentOn),
    String(left),
    String(stillThere),
    share(left, entered),
    seconds(medianSeconds),
  ];
}

/** The step table as text for a terminal. */
export function inText({ version, visitors, began, purchases, steps }: VersionReport, headings: ReadonlyMap<number, string>): string {
  const rows = [columns, ...steps.map(cellsOf)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], last: string) =>
    [...row.map((cell, column) => cell.padStart(widths[column] ?? 0)), last.slice(0, 60)].join("  ");
  return [
    `Version ${version}: ${visitors} visitors, ${began} began (${share(began, visitors)}), ${purchases} bought (${share(purchases, visitors)})`,
    line(columns, ""),
    ...steps.map((step) => line(cellsOf(step), headings.get(step.questionId) ?? "")),
  ].join("\n");
}

interface PagePart {
  readonly report: VersionReport;
  readonly headings: ReadonlyMap<number, string>;
}

/** The step table as a self-contained page, with a bar for each question. */
export function reportPage(parts: readonly PagePart[], now: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Funnel</title><style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:76rem;color:#1c2333}
h2{margin-top:3rem}.cards{display:flex;gap:1rem;flex-wrap:wrap;padding:0;list-style:none}.cards li{border:1px solid #d9deea;border-radius:.6rem;padding:.6rem 1.2rem}.cards b{display:block;font-size:1.6rem}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #eceff5;white-space:nowrap}th{position:sticky;top:0;background:#fff}
td.name,th.name{text-align:left;white-space:normal;min-width:14rem}td.bar{width:30%;min-width:12rem}svg{display:block;width:100%;height:1.1rem}
.on{fill:#4f6df5}.left{fill:#f0a35e}.there{fill:#7ec8a4}.key span{display:inline-block;width:.9em;height:.9em;margin:0 .3em 0 1em;border-radius:2px;vertical-align:-.1em}
</style></head><body><h1>Funnel</h1>
<p>As of ${inMinutes(now)} UTC. Entered = went on + left + still there. A visitor who has done nothing for ${idleAfter / 60_000} minutes has left. A visitor counts once per version, even with several devices.</p>
<p class="key"><span style="background:#4f6df5"></span>went on<span style="background:#f0a35e"></span>left<span style="background:#7ec8a4"></span>still there</p>
${parts.map(section).join("\n")}</body></html>\n`;
}

function section({ report: { version, visitors, began, purchases, steps }, headings }: PagePart): string {
  const most = Math.max(1, ...steps.map(({ entered }) => entered));
  const cards = [
    ["visitors", String(visitors)],
    ["began", `${began} · ${share(began, visitors)}`],
    ["bought", `${purchases} · ${share(purchases, visitors)}`],
  ];
  return `<h2>Version ${escapeHtml(version)}</h2><ul class="cards">${cards.map(([name, value]) => `<li>${name}<b>${value}</b></li>`).join("")}</ul>
<table><thead><tr><th class="name">question</th>${columns
    .slice(1)
    .map((name) => `<th>${name}</th>`)
    .join("")}<th></th></tr></thead><tbody>
${steps
  .map(
    (step) =>
      `<tr><td class="name">${step.questionId} ${escapeHtml(headings.get(step.questionId) ?? "")}</td>${cellsOf(step)
        .slice(1)
        .map((cell) => `<td>${cell}</td>`)
        .join("")}<td class="bar">${bar(step, most)}</td></tr>`,
  )
  .join("\n")}
</tbody></table>`;
}

/** A bar of a question's visitors in three parts: went on, left, still there. `most` visitors fill its width. */
function bar({ wentOn, left, stillThere }: StepCounts, most: number): string {
  let x = 0;
  const part = (name: string, count: number) => {
    const width = (100 * count) / most;
    const drawn = `<rect class="${name}" x="${x.toFixed(3)}" width="${width.toFixed(3)}" height="10"><title>${count}</title></rect>`;
    x += width;
    return drawn;
  };
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${wentOn} went on, ${left} left, ${stillThere} still there">${part("on", wentOn)}${part("left", left)}${part("there", stillThere)}</svg>`;
}
