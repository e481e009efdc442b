/**
 * Fills tables with journeys of invented visitors, as the server would have stored them. Runs on a worker thread, so that the main thread of
 * `bench/studio.ts` stays free.
 */
import { encodeJourney, fold, type Journey, newJourney, type PlacedEvent } from "#server/events/journey.ts";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { isMainThread, workerData } from "node:worker_threads";

/** Percentage of visitors per version. */
export const versions = [
  ["83", 40],
  ["76", 30],
  ["85", 20],
  ["90", 10],
] as const;
const byShare = versions.flatMap(([version, percent]) => Array.from({ length: percent }, () => version));
const locales = [
  ["de-DE", "DE"],
  ["es-419", "MX"],
  ["pt-BR", "BR"],
  ["it-IT", "IT"],
  ["es-ES", "ES"],
  ["es-419", "AR"],
] as const;
const platforms = ["android", "apple", "other"] as const;
const campaigns = [null, "spring", "search", "friends"] as const;
const screens = 60;
/** Share of a screen's visitors who go on. Screen 20 loses twice as many as the others. */
const staysAt = (screen: number) => (screen === 20 ? 0.93 : 0.965);

/** Mulberry32: the same visitors each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Walks of different lengths and speeds. A journey is one of them with its own start. */
function walksFrom(random: () => number): readonly { readonly lastAt: number; readonly steps: string }[] {
  return Array.from({ length: 400 }, () => {
    let journey: Journey = newJourney(0);
    let at = 0;
    let place = 0;
    const happens = (eventType: PlacedEvent["eventType"], questionId: number) => {
      journey = fold(journey, { eventType, payload: { questionId, optionId: 1 }, happenedAt: at, place: (place += 1) } as PlacedEvent);
    };
    for (let screen = 2; screen < 2 + screens; screen += 1) {
      happens("QuestionnaireQuestionShown", screen);
      if (random() > staysAt(screen)) break;
      at += Math.round(1_000 + 30_000 * random() ** 3);
      happens("QuestionnaireAnswer", screen);
    }
    return { lastAt: at, steps: encodeJourney(journey) };
  });
}

/** The id of device n: spread like a random UUID, but the same in every run. */
function deviceOf(n: number): string {
  const hex = (salt: number) => (Math.imul(n ^ (n >>> 15) ^ salt, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  // Multiplication by an odd number is a bijection, so the first part is unique.
  const first = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return `${first}-${hex(1).slice(0, 4)}-4${hex(2).slice(0, 3)}-8${hex(3).slice(0, 3)}-${hex(4)}${hex(5).slice(0, 4)}`;
}

/** Rows per transaction. */
const rowsAtOnce = 100_000;

function insertAll(database: DatabaseSync, table: string, columns: readonly string[], rows: Iterable<readonly SQLInputValue[]>): void {
  const insert = database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
  let open = 0;
  database.exec("BEGIN");
  for (const row of rows) {
    insert.run(...row);
    if ((open += 1) % rowsAtOnce === 0) database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT");
}

/** Start times in ascending order, so that rows are inserted as they would arrive. */
function starts(random: () => number, count: number, from: number, to: number): Float64Array {
  return Float64Array.from({ length: count }, () => Math.floor(from + random() * (to - from))).toSorted();
}

function* journeysOf(startedAt: Float64Array, random: () => number) {
  const walks = walksFrom(random);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * random() * all.length)] ?? (all[0] as T);
  for (const [n, at] of startedAt.entries()) {
    const [locale, country] = oneOf(locales);
    const { lastAt, steps } = walks[Math.floor(random() * walks.length)] ?? { lastAt: 0, steps: "" };
    const version = byShare[n % byShare.length] ?? "83";
    yield [deviceOf(n), version, at, at + lastAt, locale, country, oneOf(platforms), oneOf(campaigns), steps];
  }
}

/** Consent choices of every second visitor; 60 % of them allow statistics. */
function* choicesOf(startedAt: Float64Array, random: () => number) {
  for (const [n, at] of startedAt.entries()) {
    if (random() >= 0.5) continue;
    const device = deviceOf(n);
    yield [`c${device}`, device, at + 1_000, at + 1_000, "2026-11-20", 0, Number(random() < 0.6), 0, "banner"];
  }
}

function* devicesOf(count: number) {
  for (let n = 0; n < count; n += 1) yield [deviceOf(n), `v${deviceOf(n)}`, 1];
}

export interface Invented {
  readonly file: string;
  readonly count: number;
  /** Start times of the first and the last journey, ms. */
  readonly from: number;
  readonly to: number;
}

/** Fills a migrated database that no other process has open. Nothing is synced to disk, so a crash would corrupt it. */
function fill({ file, count, from, to }: Invented): void {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1500000;");
    // Indexes on random keys are built at the end, since sorting is faster than inserting row by row.
    const indexes = ["event_devices_of_visitor", "consent_records_by_device"].map((name) => {
      const row = database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(name);
      if (typeof row?.["sql"] !== "string") throw new Error(`There is no index ${name}.`);
      database.exec(`DROP INDEX ${name}`);
      return row["sql"];
    });
    const random = randomFrom(1);
    const startedAt = starts(random, count, from, to);
    insertAll(
      database,
      "journeys",
      ["device_id", "version", "started_at", "last_at", "locale", "country", "platform", "campaign", "steps"],
      journeysOf(startedAt, random),
    );
    insertAll(database, "event_devices", ["device_id", "visitor", "sequence"], devicesOf(count));
    const chosen = ["id", "device_id", "chosen_at", "received_at", "text_version", "functional", "analytics", "marketing", "source"];
    insertAll(database, "consent_records", chosen, choicesOf(startedAt, random));
    for (const index of indexes) database.exec(index);
  } finally {
    database.close();
  }
}

if (!isMainThread) fill(workerData as Invented);
