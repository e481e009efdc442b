/** Reminds of a trial's charge by mail: when it comes and how much it is, as the offer promises. */
import { knownLocale } from "#core/locales.ts";
import { reminderDays } from "#core/offerDates.ts";
import { sql } from "kysely";
import { type OutboxMail, queueMail } from "../mail/outbox.ts";
import type { World } from "../base/world.ts";
import { inPages } from "../store/pages.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { renewalPrice } from "./catalogue.ts";
import { daysOf } from "./days.ts";
import { subscriptionOf } from "./storedSubscription.ts";

const dayMs = 86_400_000;
const kind = "remind-charge";

interface Claim {
  readonly kind: "remind-charge" | "remind-renewal";
  readonly subject: string;
  readonly reason: string;
  readonly now: number;
}

interface Reminded {
  readonly id: string;
  readonly payment_provider: string;
  readonly currency: string;
  readonly uuid: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly language: string;
}

/** Plans are read page by page in the order of their ends, because an index has that order. In the order of their ids, each page would read all plans. */
export interface Ending {
  readonly ends_at: number | null;
  readonly id: string;
}

/** Whether a plan comes after the last one that was read, or, without one, ends after `start`. */
export const endsLater = (last: Ending | null, start: number) =>
  last === null
    ? sql<boolean>`entitlements.ends_at > ${start}`
    : sql<boolean>`(entitlements.ends_at, entitlements.order_id) > (${last.ends_at}, ${last.id})`;

/**
 * The subscriptions with granted days that are charged after `from` and until `to`. Granted days move a plan's end, but not its next charge, so these plans
 * are not found by their ends.
 */
export async function* chargedDespiteGrants(queries: Queries, from: number, to: number): AsyncGenerator<string> {
  const { rows } = await sql<{ readonly provider: string; readonly subscription: string }>`
    SELECT DISTINCT payment_provider AS provider, subscription_id AS subscription FROM provider_facts
    WHERE id LIKE 'gift-%' AND subscription_id IS NOT NULL`.execute(queries);
  for (const { provider, subscription } of rows) {
    const charge = (await subscriptionOf(queries, provider, subscription))?.nextCharge ?? null;
    if (charge !== null && charge > from && charge <= to) yield subscription;
  }
}

/** Queues a reminder once. False when any process has queued it before. */
export function mailReminder(
  { store, world }: { readonly store: Store; readonly world: World },
  order: Reminded,
  claim: Claim,
  { template, data }: Pick<OutboxMail, "template" | "data">,
): Promise<boolean> {
  return store.write(async (queries) => {
    if (!(await claimReminder(queries, order, claim))) return false;
    await queueMail(queries, world, {
      accountUuid: order.uuid,
      template,
      locale: knownLocale(order.language),
      recipient: order.email,
      data: { firstname: order.firstname, currency: order.currency, ...data },
    });
    return true;
  });
}

/** Records a reminder within the write that queues its mail. False when any process has recorded it before. */
async function claimReminder(
  queries: Queries,
  order: Pick<Reminded, "id" | "payment_provider">,
  { kind: of, subject, reason, now }: Claim,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto("payment_duties")
    .values({
      payment_provider: order.payment_provider,
      kind: of,
      subject,
      order_id: order.id,
      reason,
      created_at: now,
      attempts: 1,
      next_attempt_at: null,
      done_at: now,
      error: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/**
 * Mails everybody whose trial is charged within the next days, each once: the row that records it is written together with the mail, so
 * several processes send one mail. A plan that is cancelled or paused gets none. Returns whether a mail was queued.
 */
export async function remindOfCharges(store: Store, world: World): Promise<boolean> {
  const now = world.now();
  const due = store.read
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
            .whereRef("subject", "=", "orders.subscription_id")
            .whereRef("payment_duties.payment_provider", "=", "orders.payment_provider")
            .where("kind", "=", kind),
        ),
      ),
    )
    .where("entitlements.status", "=", "active")
    .where("orders.trial_days", ">", 0)
    .where("orders.product_type", "=", "subscription")
    .select("entitlements.ends_at")
    .orderBy("entitlements.ends_at")
    .orderBy("entitlements.order_id");
  const latest = now + reminderDays * dayMs;
  const page = (last: Ending | null, limit: number) =>
    due.where("entitlements.ends_at", "<=", latest).where(endsLater(last, now)).limit(limit).execute();
  let mailed = false;
  const remind = async (order: Awaited<ReturnType<typeof page>>[number]) => {
    if (order.subscription_id === null) return;
    const subject = order.subscription_id;
    const subscription = await subscriptionOf(store.read, order.payment_provider, subject);
    if (subscription === null || !subscription.trialing || subscription.change !== null || subscription.nextCharge === null) return;
    const chargedOn = daysOf(order).charge(subscription.nextCharge);
    const price = await renewalPrice(store.read, order);
    const queued = await mailReminder(
      { store, world },
      order,
      { kind, subject, reason: "its trial ends", now },
      { template: "chargeReminder", data: { chargedOn, price } },
    );
    mailed ||= queued;
  };
  for await (const order of inPages(page)) await remind(order);
  for await (const subscription of chargedDespiteGrants(store.read, now, latest))
    for (const order of await due.where("orders.subscription_id", "=", subscription).execute()) await remind(order);
  return mailed;
}
