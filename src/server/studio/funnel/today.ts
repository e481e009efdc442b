/** What happens today, beside the same weekdays before, until this hour. */
import { isLocale } from "#core/locales.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import { dayMs, dayOf, type Hours, hourMs, type KeptDay, partsOf, startedVersions } from "../../events/funnelDays.ts";
import { visitorsOf } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";

type Today = OutputOf<(typeof funnelCalls)["today"]>;

const minuteMs = 60_000;
const onSiteMs = 5 * minuteMs;
const weeks = 8;
/** A mail that could not be sent so often needs somebody. */
const triedOften = 3;

export async function countToday(queries: Queries, now: number): Promise<Today> {
  const midnight = dayOf(now);
  const days = Array.from({ length: weeks + 1 }, (_, week) => ({
    from: midnight - week * 7 * dayMs,
    to: now - week * 7 * dayMs,
    counts: { visitors: 0, began: 0, purchases: 0 },
  }));
  const versions: Today["versions"][number][] = [];
  for (const version of await startedVersions(queries)) {
    const today = { version, visitors: 0, purchases: 0 };
    const kept = (await partsOf(queries, { version, from: days.at(-1)?.from, to: midnight })).days;
    for (const [week, { from, to, counts }] of days.entries()) {
      const known = addHours(counts, kept.find(({ day }) => day === from)?.hours, Math.floor((to - from) / hourMs));
      for await (const { journey, bought } of visitorsOf(queries, { version, from: from + known * hourMs, to })) {
        counts.visitors += 1;
        counts.began += Number(journey.lastAnswer > 0);
        counts.purchases += Number(bought);
        if (week === 0) {
          today.visitors += 1;
          today.purchases += Number(bought);
        }
      }
    }
    if (today.visitors > 0) versions.push(today);
  }
  const first = await queries
    .selectFrom("journeys")
    .select(({ fn }) => fn.min("started_at").as("at"))
    .executeTakeFirst();
  const since = first?.at ?? now;
  const usual = days.slice(1).filter(({ from }) => from >= since);
  return {
    countedAt: now,
    onSite: await onSiteNow(queries, now),
    figures: (["visitors", "began", "purchases"] as const).map((name) => ({
      name,
      now: days[0]?.counts[name] ?? 0,
      usual: usual.map(({ counts }) => counts[name]).toReversed(),
    })),
    versions: versions.toSorted((a, b) => b.visitors - a.visitors),
    attention: await attentionNow(queries),
  };
}

/**
 * What changes whenever today's numbers may have changed, for the price of some index look-ups: asked every few seconds, so that nothing is
 * counted while nothing happens.
 */
export async function pulseOf(queries: Queries, now: number): Promise<string> {
  const midnight = dayOf(now);
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
  return JSON.stringify([midnight, last, Number(orders), await onSiteNow(queries, now), await attentionNow(queries)]);
}

/** Adds what a kept day had until an hour. @returns how many hours that was, 0 for a day that is not kept */
function addHours(counts: Record<keyof Hours, number>, hours: KeptDay["hours"] | undefined, until: number): number {
  if (hours === undefined) return 0;
  for (const name of ["visitors", "began", "purchases"] as const)
    counts[name] += hours[name].slice(0, until).reduce((sum, each) => sum + each, 0);
  return until;
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

/** Each with the screen that looks after it; nothing that is well. */
async function attentionNow(queries: Queries): Promise<Today["attention"]> {
  const { mails } = await queries
    .selectFrom("mail_outbox")
    .select(({ fn }) => fn.countAll().as("mails"))
    .where("sent_at", "is", null)
    .where("attempts", ">=", triedOften)
    .executeTakeFirstOrThrow();
  const { mismatches } = await queries
    .selectFrom("payment_mismatches")
    .select(({ fn }) => fn.countAll().as("mismatches"))
    .executeTakeFirstOrThrow();
  return [
    { words: "mails could not be sent, three times or more", count: Number(mails), path: "/operations" },
    { words: "payments do not match their order", count: Number(mismatches), path: "/money" },
  ].filter(({ count }) => count > 0);
}
