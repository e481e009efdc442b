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
import { subscriptionsWithGifts } from "./gifts.ts";
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

interface Due<Order extends Ending> {
  /** Orders whose plans end in the time, read page by page. */
  readonly ending: (last: Ending | null, limit: number) => Promise<readonly Order[]>;
  readonly ofSubscription: (id: string) => Promise<readonly Order[]>;
}

/**
 * The orders that may be charged after `from` and until `to`. A plan is charged when it ends, except where days were granted: they move its end, but not its next
 * charge.
 */
export async function* chargedBetween<Order extends Ending>(
  queries: Queries,
  from: number,
  to: number,
  due: Due<Order>,
): AsyncGenerator<Order> {
  yield* inPages<Order>(due.ending);
  for (const { provider, id } of await subscriptionsWithGifts(queries, from)) {
    const charge = id === null ? null : ((await subscriptionOf(queries, provider, id))?.nextCharge ?? null);
    if (id !== null && charge !== null && charge > from && charge <= to) yield* await due.ofSubscription(id);
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
  const until = now + reminderDays * dayMs;
  const orders = chargedBetween(store.read, now, until, {
    ending: (last, limit) => due.where("entitlements.ends_at", "<=", until).where(endsLater(last, now)).limit(limit).execute(),
    ofSubscription: (id) => due.where("orders.subscription_id", "=", id).execute(),
  });
  let mailed = false;
  for await (const order of orders) {
    if (order.subscription_id === null) continue;
    const subject = order.subscription_id;
    const subscription = await subscriptionOf(store.read, order.payment_provider, subject);
    if (subscription === null || !subscription.trialing || subscription.change !== null || subscription.nextCharge === null) continue;
    const chargedOn = daysOf(order).charge(subscription.nextCharge);
    const price = await renewalPrice(store.read, order);
    const queued = await mailReminder(
      { store, world },
      order,
      { kind, subject, reason: "its trial ends", now },
      { template: "chargeReminder", data: { chargedOn, price } },
    );
    mailed ||= queued;
  }
  return mailed;
}
