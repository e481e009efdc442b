/** Which day a time is for a buyer: the same in mails, on the receipt and in the account as on the offer (decisions/100). */
import { dayIn } from "#core/questionnaire/calendar.ts";
import { chargeZone } from "#core/terms.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

/** Of whom none is known: what was ordered before it was asked. */
const unknownZone = "UTC";

type Zoned = Pick<OrdersTable, "time_zone" | "payment_provider">;

/** In which the days of an order's charges and ends are named. */
export function chargeZoneOf({ time_zone: timeZone, payment_provider: provider }: Zoned): string {
  return chargeZone(provider, timeZone ?? unknownZone);
}

/** The day of a charge or an end, and that of anything that happens now. */
export function daysOf(order: Zoned): { readonly charge: (time: number) => string; readonly now: (time: number) => string } {
  return {
    charge: (time) => dayIn(time, chargeZoneOf(order)),
    now: (time) => dayIn(time, order.time_zone ?? unknownZone),
  };
}
