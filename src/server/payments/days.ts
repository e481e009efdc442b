/** Which calendar day a time is for a buyer. Mails, receipt, account and offer all name the same one (decision 100). */
import { dayIn } from "#core/questionnaire/calendar.ts";
import { chargeZone } from "#core/terms.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

/** For orders from before the time zone was asked for. */
const unknownZone = "UTC";

type Zoned = Pick<OrdersTable, "time_zone" | "payment_provider">;

/** The time zone in which an order's charges and ends are dated. */
export function chargeZoneOf({ time_zone: timeZone, payment_provider: provider }: Zoned): string {
  return chargeZone(provider, timeZone ?? unknownZone);
}

/** `charge` dates charges and ends, `now` whatever happens at the moment. */
export function daysOf(order: Zoned): { readonly charge: (time: number) => string; readonly now: (time: number) => string } {
  return {
    charge: (time) => dayIn(time, chargeZoneOf(order)),
    now: (time) => dayIn(time, order.time_zone ?? unknownZone),
  };
}
