/** Compares the figures that visitors read about their plan. Each figure must be the same everywhere, and all must be consistent. */
import { formatsFor } from "#core/formats.ts";
import { pricedCountry } from "#core/localeReach.ts";
import { moneyBackUntil } from "#core/offerDates.ts";
import { addDays, addMonths, weekdayOf } from "#core/questionnaire/calendar.ts";
import { toldWithdrawalDays } from "#core/withdrawal.ts";
import type { Store } from "#server/store/store.ts";
import { expect } from "vitest";
import { stagesPerLevel } from "#core/questionnaire/plan.ts";
import { type Read, seenBy, visitors } from "./figures.tsx";
import type { PaymentBed } from "./payments.ts";

/** The only value of a kind of figure. Fails and names the places when values differ. */
function only(reads: readonly Read[], kind: Read["kind"]): string | number {
  const found = new Map<string | number, string[]>();
  for (const read of reads) if (read.kind === kind) found.set(read.figure, [...(found.get(read.figure) ?? []), read.where]);
  expect([...found.keys()], `${kind}: ${JSON.stringify([...found])}`).toHaveLength(1);
  return [...found.keys()][0] ?? "";
}

const everyKind = "charge days end endMonth guarantee hours minutes months paid rest stages start week weeks withdrawal".split(" ");

/** Walks `count` visitors through the funnel to the purchase and compares the figures they see. */
export async function compareFigures(count: number, at: { readonly bed: PaymentBed; readonly store: Store }): Promise<void> {
  const kinds = new Set<Read["kind"]>();
  for (const visitor of visitors(count)) {
    const { reads, state, context, thanks } = await seenBy(visitor, at.bed, at.store);
    const { version, locale, timeZone } = visitor;
    const who = `${version} ${locale} ${timeZone} ${new Date(visitor.now).toISOString()} ${state.visitedQuestionIds.join(" ")}`;
    for (const { kind } of reads) kinds.add(kind);
    /** Whether the figures are shown at all. Short versions omit screens. */
    const shows = (...wanted: readonly Read["kind"][]) => wanted.every((kind) => reads.some((read) => read.kind === kind));
    const one = (kind: Read["kind"]) => Number(only(reads, kind));

    if (shows("end", "endMonth")) {
      const end = String(only(reads, "end"));
      expect(end, who).toBe(addDays(addMonths(context.today, one("months")), -1));
      expect(only(reads, "endMonth"), who).toBe(end.slice(0, 7));
    }
    if (shows("start")) {
      const start = String(only(reads, "start"));
      expect(state.days, who).toContain(weekdayOf(start));
      expect(thanks, who).toContain(formatsFor(locale).weekday(weekdayOf(start), "long"));
    }
    expect(state.days, who).toHaveLength(one("days"));
    one("minutes");
    one("months");
    if (shows("stages")) expect(one("stages") % stagesPerLevel, who).toBe(0);
    if (shows("week")) expect(one("week"), who).toBe(one("days") * one("minutes"));
    if (shows("week", "weeks", "rest", "hours")) {
      const hours = ((one("weeks") - one("rest")) * one("week")) / 60;
      expect(one("hours"), who).toBe(Math.floor(hours));
      // The smallest number of hours between two levels is 175. No stage is shorter than its part of that.
      expect(hours, who).toBeGreaterThanOrEqual(175 / stagesPerLevel);
    }

    expect(only(reads, "paid"), who).toBe(context.today);
    if (shows("guarantee")) expect(only(reads, "guarantee"), who).toBe(moneyBackUntil(context.today));
    if (shows("withdrawal")) expect(only(reads, "withdrawal"), who).toBe(addDays(context.today, toldWithdrawalDays(pricedCountry[locale])));
    if (shows("charge")) only(reads, "charge");
  }
  expect([...kinds].toSorted()).toEqual(everyKind);
}
