/** The dates that a buyer should know before paying: what happens today, next, and after that. */
import { addDays } from "./questionnaire/calendar.ts";
import type { OfferTerms } from "./terms.ts";

/** Days between the reminder mail and a trial's first charge. */
export const reminderDays = 2;
/** Days of the money-back guarantee, as the texts promise. */
const guaranteeDays = 30;
/** The last day of the money-back guarantee for a payment; both dates are YYYY-MM-DD. */
export const moneyBackUntil = (paidOn: string): string => addDays(paidOn, guaranteeDays);

export type OfferEvent = "startTrial" | "startPaid" | "remind" | "charge" | "guarantee" | "renew" | "end";

interface OfferMoment {
  /** YYYY-MM-DD. */
  readonly on: string;
  readonly event: OfferEvent;
}

/** What happens on one day. */
export interface OfferDate {
  /** YYYY-MM-DD. */
  readonly on: string;
  readonly events: readonly OfferEvent[];
}

/** In chronological order, each day once: a month's renewal can fall on the guarantee's last day. `today`: YYYY-MM-DD. */
export function offerDates(terms: OfferTerms, today: string): readonly OfferDate[] {
  const moments = momentsOf(terms, today);
  return [...new Set(moments.map(({ on }) => on))].map((day) => ({
    on: day,
    events: moments.flatMap(({ on, event }) => (on === day ? [event] : [])),
  }));
}

function momentsOf({ nextCharge, dueToday, end }: OfferTerms, today: string): readonly OfferMoment[] {
  if (nextCharge !== null && dueToday === 0)
    return [
      { on: today, event: "startTrial" },
      { on: addDays(nextCharge, -reminderDays), event: "remind" },
      { on: nextCharge, event: "charge" },
    ];
  const last: readonly OfferMoment[] = [
    ...(nextCharge === null ? [] : [{ on: nextCharge, event: "renew" as const }]),
    ...(end === null ? [] : [{ on: end, event: "end" as const }]),
  ];
  const later: readonly OfferMoment[] = [{ on: moneyBackUntil(today), event: "guarantee" }, ...last];
  return [{ on: today, event: "startPaid" }, ...later.toSorted((a, b) => a.on.localeCompare(b.on))];
}
