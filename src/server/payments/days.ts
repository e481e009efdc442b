/** The calendar day of a time, for a buyer. Mails, receipt, account and offer all show the same day (decision 100). */
import { dayIn } from "#core/questionnaire/calendar.ts";
import { chargeZone } from "#core/terms.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

/** For orders older than the recording of time zones. */
const unknownZone = "UTC";

type Zoned = Pick<OrdersTable, "time_zone" | "payment_provider">;

/** The time zone for the dates of an order's charges and ends. */
export function chargeZoneOf({ time_zone: timeZone, payment_provider: provider }: Zoned): string {
  return chargeZone(provider, timeZone ?? unknownZone);
}

/** `charge` gives the day of charges and ends, `now` the day of what happens at this moment. */
export function daysOf(order: Zoned): { readonly charge: (time: number) => string; readonly now: (time: number) => string } {
  return {
    charge: (time) => dayIn(time, chargeZoneOf(order)),
    now: (time) => dayIn(time, order.time_zone ?? unknownZone),
  };
}
