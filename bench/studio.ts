/**
 * `npm run bench:studio`: what the studio counts, over invented journeys of 90 days (`JOURNEYS`, 100 thousand unless told), asked as the
 * studio asks it, on a thread: how long each number takes, and how long the process that serves visitors was held up meanwhile.
 */
import { counted } from "#server/studio/funnel/counting.ts";
import { encodeJourney, fold, type Journey, newJourney, type PlacedEvent } from "#server/events/journey.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { screensOf } from "#server/studio/funnel/steps.ts";
import { migrate } from "#server/store/migrate.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { createKeptDays } from "#server/studio/funnel/keptDays.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const journeys = Number(process.env["JOURNEYS"] ?? 100_000);
const limits = { countMs: 2_000, heldUpMs: 50 };
const days = 90;
const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20, 15, 20);
const firstDay = Date.UTC(2026, 10, 20) - (days - 1) * dayMs;
/** A version's share of the visitors, of 100. */
const versions = [
  ["83", 40],
  ["76", 30],
  ["85", 20],
  ["90", 10],
] as const;
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
/** Of those who come to a screen, as many stay; a screen in the middle loses twice as many. */
const staysAt = (screen: number) => (screen === 20 ? 0.93 : 0.965);

let seed = 1;
/** Mulberry32: the same visitors each time. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * random() * all.length)] ?? (all[0] as T);

/** Walks of every length, each with its own pace; a journey is one of them, begun at its own moment. */
const walks = Array.from({ length: 400 }, () => {
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

async function fill(store: Store): Promise<void> {
  const batch = 2_000;
  let share = 0;
  const byShare = versions.flatMap(([version, percent]) => Array.from({ length: percent }, () => version));
  for (let done = 0; done < journeys; done += batch)
    await store.write(async (queries) => {
      const rows = Array.from({ length: Math.min(batch, journeys - done) }, (_, n) => {
        const [locale, country] = oneOf(locales);
        const { lastAt, steps } = walks[Math.floor(random() * walks.length)] ?? { lastAt: 0, steps: "" };
        const startedAt = Math.floor(firstDay + random() * (now - firstDay - 3_600_000));
        return {
          device_id: `d${String(done + n).padStart(9, "0")}`,
          version: byShare[(share += 1) % 100] ?? "83",
          started_at: startedAt,
          last_at: startedAt + lastAt,
          locale,
          country,
          platform: oneOf(platforms),
          campaign: oneOf(campaigns),
          steps,
        };
      });
      await queries.insertInto("journeys").values(rows).execute();
      await queries
        .insertInto("event_devices")
        .values(rows.map(({ device_id }) => ({ device_id, visitor: `v${device_id}`, sequence: 1 })))
        .execute();
      await queries
        .insertInto("consent_records")
        .values(
          rows
            .filter(() => random() < 0.5)
            .map(({ device_id, started_at }) => ({
              id: `c${device_id}`,
              device_id,
              account_uuid: null,
              chosen_at: started_at + 1_000,
              received_at: started_at + 1_000,
              text_version: "2026-11-20",
              functional: 0,
              analytics: Number(random() < 0.6),
              marketing: 0,
              source: "banner",
              country: null,
            })),
        )
        .execute();
    });
}

let failed = false;
function check(name: string, ms: number, most: number): void {
  console.log(`${ms <= most ? "ok  " : "FAIL"} ${name}: ${Math.round(ms)} ms`);
  failed ||= ms > most;
}

async function measured(name: string, count: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await count();
  check(name, performance.now() - began, limits.countMs);
}

const folder = mkdtempSync(join(tmpdir(), "parlando-studio-"));
const store = openSqlite(join(folder, "parlando.sqlite"));
try {
  await migrate(store, now);
  const began = performance.now();
  await fill(store);
  console.log(`${journeys} journeys of ${days} days, made in ${Math.round((performance.now() - began) / 1000)} s`);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const keeping = performance.now();
  const world = { now: () => now, uuid: randomUUID, randomBytes, wait: sleep };
  const keptDays = createKeptDays({ store, questionnaires: shippedQuestionnaires, world, log: console });
  keptDays.wake();
  await keptDays.running();
  console.log(`Whole days counted and kept in ${Math.round((performance.now() - keeping) / 1000)} s`);
  const screens = Object.fromEntries(versions.map(([version]) => [version, screensOf(shippedQuestionnaires, version)]));
  const month = { from: now - 30 * dayMs - ((now - 30 * dayMs) % dayMs) };
  await measured("funnel, all", () => counted(store, "steps", { filter: { version: "83" }, now }));
  await measured("funnel, 30 days", () => counted(store, "steps", { filter: { version: "83", ...month }, now }));
  await measured("funnel, Germans on Android", () =>
    counted(store, "steps", { filter: { version: "83", locale: ["de-DE"], platform: ["android"] }, now }),
  );
  await measured("one screen", () => counted(store, "screen", { filter: { version: "83" }, questionId: 20, now }));
  await measured("visits that ended on a screen", () => counted(store, "visits", { filter: { version: "83" }, questionId: 20, now }));
  await measured("filters", () => counted(store, "filters", undefined));
  await measured("today", () => counted(store, "today", { now, screens, currency: "EUR" }));
  delay.disable();
  check("visitors' process held up at most", delay.max / 1e6, limits.heldUpMs);
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
