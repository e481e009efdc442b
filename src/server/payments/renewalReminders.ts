/** Announces a renewal by mail where the law requires it (decision 131), each renewal once. */
import { type Contract, contractHasDuty } from "#core/duties.ts";
import { knownLocale } from "#core/locales.ts";
import { parsePlan } from "#core/money.ts";
import { sql } from "kysely";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";
import { renewalPrice } from "./catalogue.ts";
import { daysOf } from "./days.ts";
import { subscriptionOf } from "./storedSubscription.ts";
import { chargedBetween, endsLater, mailReminder } from "./reminders.ts";

const dayMs = 86_400_000;
/**
 * A renewal is announced by mail between `earliestDays` and `latestDays` before it. The laws set these times: California 15 to 45 days
 * before, Spain 15, Italy 30.
 */
const earliestDays = 32;
const latestDays = 15;
/**
 * The earliest day for terms shorter than a year. It is close to the end of the term, but leaves a few days to repeat a mail that fails.
 */
const earliestOfMonths = 20;
const yearMonths = 12;

/** The months of a term whose renewal is announced; null if it is not. Terms in weeks are shorter than the notice. */
function announcedMonths(plan: string, contract: Contract): number | null {
  const { count, unit } = parsePlan(plan);
  if (unit === "week") return null;
  if (contractHasDuty("renewalNotice", contract)) return count;
  return count >= yearMonths && contractHasDuty("renewalReminder", contract) ? count : null;
}

/** A plan that is cancelled or paused gets no mail. Returns whether a mail was queued. */
export async function remindOfRenewals(store: Store, world: World): Promise<boolean> {
  const now = world.now();
  const ending = store.read
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .innerJoin("accounts", "accounts.uuid", "orders.account_uuid")
    .selectAll("orders")
    .select(["accounts.email", "accounts.firstname", "accounts.locale as language", "accounts.uuid"])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_duties")
            .select("subject")
            .whereRef("order_id", "=", "orders.id")
            .where("kind", "=", "remind-renewal")
            .where("created_at", ">", sql<number>`entitlements.ends_at - ${sql.lit(earliestDays * dayMs)}`),
        ),
      ),
    )
    .where("entitlements.status", "=", "active")
    .where("orders.product_type", "=", "subscription")
    .where("orders.subscription_id", "is not", null)
    .select("entitlements.ends_at")
    .orderBy("entitlements.ends_at")
    .orderBy("entitlements.order_id");
  const [from, to] = [now + latestDays * dayMs, now + earliestDays * dayMs];
  const orders = chargedBetween(store.read, from, to, {
    ending: (last, limit) => ending.where("entitlements.ends_at", "<=", to).where(endsLater(last, from)).limit(limit).execute(),
    ofSubscription: (id) => ending.where("orders.subscription_id", "=", id).execute(),
  });
  let mailed = false;
  for await (const order of orders) {
    const locale = knownLocale(order.language);
    const subject = order.subscription_id ?? "";
    const months = announcedMonths(order.product_plan, { locale, country: order.country });
    if (months === null) continue;
    const subscription = await subscriptionOf(store.read, order.payment_provider, subject);
    if (subscription === null || subscription.change !== null || subscription.nextCharge === null) continue;
    if (months < yearMonths && subscription.nextCharge > now + earliestOfMonths * dayMs) continue;
    const renewsOn = daysOf(order).charge(subscription.nextCharge);
    const price = await renewalPrice(store.read, order);
    const queued = await mailReminder(
      { store, world },
      order,
      { kind: "remind-renewal", subject: `${subject} ${renewsOn}`, reason: "its term ends", now },
      { template: "renewalReminder", data: { renewsOn, price, months } },
    );
    mailed ||= queued;
  }
  return mailed;
}
