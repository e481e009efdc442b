/** Today's numbers up to this hour, beside the same weekday of earlier weeks. */
import { isLocale } from "#core/locales.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import { stages, type todayCalls } from "#studio/contract/today.ts";
import { dayMs, dayStart, firstStart, type KeptDay, partsOf, startedVersions, sumOf } from "../../events/funnelDays.ts";
import { hourMs, knowsMilestones } from "../../events/funnelHours.ts";
import type { Reading } from "../../events/journeys.ts";
import { type Milestone, milestones, type MilestoneScreens } from "../../events/milestones.ts";
import { latestRollouts } from "../../releases/rollouts.ts";
import type { Queries } from "../../store/schema.ts";
import { attentionNow } from "./attention.ts";
import { proceedsOf, salesOf, type Span } from "./proceeds.ts";

type Today = OutputOf<(typeof todayCalls)["today"]>;

const onSiteMs = 5 * 60_000;
const weeks = 8;
const mostRollouts = 3;

export interface TodayAsked {
  readonly now: number;
  /** Milestone screens by version. */
  readonly screens: Readonly<Record<string, MilestoneScreens>>;
  /** The reporting currency. */
  readonly currency: string;
}

export async function countToday(reading: Reading, { now, screens, currency }: TodayAsked): Promise<Today> {
  const { queries } = reading;
  const midnight = dayStart(now);
  const spans = Array.from({ length: weeks + 1 }, (_, week) => ({ from: midnight - week * 7 * dayMs, to: now - week * 7 * dayMs }));
  let first = now;
  for (const version of await startedVersions(queries)) first = Math.min(first, (await firstStart(queries, version)) ?? now);
  // Weeks before the first visitor are left out.
  const compared = spans.filter(({ from }, week) => week === 0 || from >= first);
  return {
    countedAt: now,
    onSite: await onSiteNow(queries, now),
    ...(await funnelOf(reading, compared, screens)),
    proceeds: oldestFirst(await proceedsOf(queries, compared, currency)),
    sales: (await salesOf(queries, compared)).map(oldestFirst),
    attention: await attentionNow(queries, now),
    rollouts: [...(await latestRollouts(queries, mostRollouts))],
  };
}

const oldestFirst = <T extends { readonly usual: readonly unknown[] }>(told: T): T => ({ ...told, usual: told.usual.toReversed() });

async function funnelOf(
  reading: Reading,
  spans: readonly Span[],
  screens: TodayAsked["screens"],
): Promise<Pick<Today, "funnel" | "versions">> {
  const { queries } = reading;
  const days = spans.map((span) => ({ ...span, counts: noCounts() }));
  const versions: Today["versions"][number][] = [];
  for (const version of await startedVersions(queries)) {
    const own = screens[version] ?? { level: [], signedUp: [], offers: [], checkout: [] };
    const kept = (await partsOf(queries, { version, from: days.at(-1)?.from, to: days[0]?.from })).days;
    let ofToday = noCounts();
    for (const [week, { from, to, counts }] of days.entries()) {
      const ofVersion = noCounts();
      const known = addSlots(ofVersion, kept.find(({ day }) => day === from)?.slots, to - from);
      await addSpan(reading, ofVersion, { version, from: from + known, to, screens: own });
      for (const name of milestones) counts[name] += ofVersion[name];
      if (week === 0) ofToday = ofVersion;
    }
    if (ofToday.visitors > 0) versions.push({ version, visitors: ofToday.visitors, purchases: ofToday.purchases });
  }
  const [today, ...usual] = days;
  return {
    funnel: stages.map((stage) => ({
      stage,
      now: today?.counts[stage] ?? 0,
      usual: usual.map(({ counts }) => counts[stage]).toReversed(),
    })),
    versions: versions.toSorted((a, b) => b.visitors - a.visitors),
  };
}

const noCounts = (): Record<Milestone, number> => ({ visitors: 0, began: 0, level: 0, signedUp: 0, offers: 0, checkout: 0, purchases: 0 });

/** Adds the counts of a stored day up to a time of day. @returns how much of the day was added, ms; 0 when it is not stored or lacks a milestone */
function addSlots(counts: Record<Milestone, number>, slots: KeptDay["slots"] | undefined, until: number): number {
  const parts = slots?.visitors?.length ?? 0;
  if (slots === undefined || parts === 0 || milestones.some((name) => slots[name] === undefined)) return 0;
  const added = Math.floor((until * parts) / dayMs);
  for (const name of milestones) counts[name] += sumOf((slots[name] ?? []).slice(0, added));
  return (added * dayMs) / parts;
}

/** Adds the milestones of visitors who started in the span, from stored hours where possible and else from journeys. */
async function addSpan(
  { queries, journeys }: Reading,
  counts: Record<Milestone, number>,
  { screens, ...span }: Span & { readonly version: string; readonly screens: MilestoneScreens },
): Promise<void> {
  const { hours, spans } = await partsOf(queries, span);
  const known = hours.filter(knowsMilestones);
  for (const hour of known) for (const name of milestones) counts[name] += hour.milestones[name];
  const unknown = hours.filter((hour) => !knowsMilestones(hour)).map(({ hour }) => ({ from: hour, to: hour + hourMs }));
  const query = { slots: { screens, from: span.from, to: span.to, ms: dayMs } };
  const { slots } = await journeys.sums({ version: span.version }, [...spans, ...unknown], query);
  for (const name of milestones) counts[name] += sumOf(slots[name]);
}

/**
 * A cheap fingerprint that changes whenever today's numbers may have changed. It is compared every few seconds, so that counts run only after a
 * change.
 */
export async function pulseOf(queries: Queries, now: number): Promise<string> {
  const midnight = dayStart(now);
  const { last } = await queries
    .selectFrom("journeys")
    .select(({ fn }) => fn.max("last_at").as("last"))
    .executeTakeFirstOrThrow();
  const { orders } = await queries
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll().as("orders"))
    .where("status", "=", "completed")
    .where("created_at", ">=", midnight)
    .executeTakeFirstOrThrow();
  const { entries } = await queries
    .selectFrom("money_entries")
    .select(({ fn }) => fn.countAll().as("entries"))
    .where("day", "=", new Date(midnight).toISOString().slice(0, 10))
    .executeTakeFirstOrThrow();
  // Journeys counted in ClickHouse change when they are copied.
  const copied = await queries.selectFrom("journey_copy").select("delivered").executeTakeFirst();
  const others = [
    copied?.delivered ?? null,
    await onSiteNow(queries, now),
    await attentionNow(queries, now),
    await latestRollouts(queries, 1),
  ];
  return JSON.stringify([midnight, last, Number(orders), Number(entries), ...others]);
}

async function onSiteNow(queries: Queries, now: number): Promise<Today["onSite"]> {
  const rows = await queries
    .selectFrom("journeys")
    .select(({ fn }) => ["locale", fn.count("device_id").distinct().as("visitors")])
    .where("last_at", ">", now - onSiteMs)
    .groupBy("locale")
    .execute();
  return rows
    .map(({ locale, visitors }) => ({ locale: locale !== null && isLocale(locale) ? locale : null, visitors: Number(visitors) }))
    .toSorted((a, b) => b.visitors - a.visitors);
}
