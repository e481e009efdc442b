/** Before a yearly term renews a mail says so where the law wants it (Cal. Bus. & Prof. Code § 17602; Codice del consumo art. 65-bis; decision 131): each renewal once. */
import { contractHasDuty } from "#core/duties.ts";
import { knownLocale } from "#core/locales.ts";
import { parsePlan } from "#core/money.ts";
import { queueMail } from "../mail/outbox.ts";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";
import { renewalPrice } from "./catalogue.ts";
import { daysOf } from "./days.ts";
import { claimReminder } from "./reminders.ts";
import type { SubscriptionFact } from "./provider.ts";

const dayMs = 86_400_000;
/** California wants it 15 to 45 days before, Spain 15, Italy 30. */
const earliestDays = 32;
const latestDays = 15;
const batchSize = 50;

/** Who has cancelled or paused is charged nothing and hears nothing. Gives whether a mail was queued. */
export async function remindOfRenewals(
  store: Store,
  world: World,
  subscriptionOf: (provider: string, id: string) => Promise<SubscriptionFact | null>,
): Promise<boolean> {
  const now = world.now();
  const ending = await store.read
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .innerJoin("accounts", "accounts.uuid", "orders.account_uuid")
    .leftJoin("payment_duties", (join) =>
      join
        .onRef("payment_duties.order_id", "=", "orders.id")
        .on("payment_duties.kind", "=", "remind-renewal")
        .on("payment_duties.created_at", ">", now - earliestDays * dayMs),
    )
    .selectAll("orders")
    .select(["accounts.email", "accounts.firstname", "accounts.locale as language", "accounts.uuid"])
    .where("payment_duties.subject", "is", null)
    .where("entitlements.status", "=", "active")
    .where("entitlements.ends_at", ">", now + latestDays * dayMs)
    .where("entitlements.ends_at", "<=", now + earliestDays * dayMs)
    .where("orders.product_type", "=", "subscription")
    .where("orders.product_plan", "=", "12M")
    .where("orders.subscription_id", "is not", null)
    .limit(batchSize)
    .execute();
  let mailed = false;
  for (const order of ending) {
    const locale = knownLocale(order.language);
    const subject = order.subscription_id ?? "";
    if (!contractHasDuty("renewalReminder", { locale, country: order.country }) || parsePlan(order.product_plan).count < 12) continue;
    const subscription = await subscriptionOf(order.payment_provider, subject);
    if (subscription === null || subscription.change !== null || subscription.nextCharge === null) continue;
    const renewsOn = daysOf(order).charge(subscription.nextCharge);
    const price = await renewalPrice(store.read, order);
    const queued = await store.write(async (queries) => {
      const claim = { kind: "remind-renewal", subject: `${subject} ${renewsOn}`, reason: "its year ends", now } as const;
      if (!(await claimReminder(queries, order, claim))) return false;
      await queueMail(queries, world, {
        accountUuid: order.uuid,
        template: "renewalReminder",
        locale,
        recipient: order.email,
        data: { firstname: order.firstname, renewsOn, currency: order.currency, price },
      });
      return true;
    });
    mailed ||= queued;
  }
  return mailed;
}
