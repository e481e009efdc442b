/** The mails about a plan, queued within the write that makes them necessary. */
import { pricedCountry } from "#core/localeReach.ts";
import { knownLocale } from "#core/locales.ts";
import { addDays } from "#core/questionnaire/calendar.ts";
import { toldWithdrawalDays } from "#core/withdrawal.ts";
import type { Links } from "../mail/links.ts";
import { queueMail } from "../mail/outbox.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import { renewalPrice } from "./catalogue.ts";
import { daysOf } from "./days.ts";
import { withdrawnByBuyer } from "./duties.ts";
import { forgetEarlyEnd, partToGiveBack, planEarlyEnd } from "./earlyEnds.ts";
import { moneyBackDay } from "./moneyBack.ts";
import type { PlanNews } from "./planNews.ts";
import type { TransactionFact } from "./provider.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

type Bought = Pick<
  OrdersTable,
  | "id"
  | "account_uuid"
  | "product_id"
  | "product_type"
  | "product_plan"
  | "trial_days"
  | "currency"
  | "price"
  | "coupon_code"
  | "time_zone"
  | "payment_provider"
  | "transaction_id"
  | "subscription_id"
  | "country"
>;

const ownerOf = (queries: Queries, accountUuid: string | null) =>
  queries.selectFrom("accounts").select(["uuid", "email", "firstname", "locale"]).where("uuid", "=", accountUuid).executeTakeFirst();

/** The first mail about a plan: what was bought, what was paid today, and what comes next. False when the order has no account. */
export async function sendReceipt(
  queries: Queries,
  world: World,
  order: Bought,
  {
    end,
    isBack,
    first,
  }: { readonly end: number; /** They had a plan before. */ readonly isBack: boolean; readonly first: TransactionFact | null },
): Promise<boolean> {
  const account = await ownerOf(queries, order.account_uuid);
  if (account === undefined) return false;
  const day = daysOf(order);
  const locale = knownLocale(account.locale);
  const paidOn = day.now(world.now());
  const withdrawal = toldWithdrawalDays(order.country ?? pricedCountry[locale]);
  await queueMail(queries, world, {
    accountUuid: account.uuid,
    template: "receipt",
    locale,
    recipient: account.email,
    data: {
      firstname: account.firstname,
      orderId: order.id,
      plan: order.product_plan,
      productType: order.product_type,
      currency: order.currency,
      price: order.price,
      trialDays: order.trial_days,
      paidOn,
      until: day.charge(end),
      withdrawUntil: withdrawal === 0 ? null : addDays(paidOn, withdrawal),
      paid: first?.total ?? null,
      tax: first === null || first.taxUntold === true ? null : first.tax,
      isBack,
    },
  });
  return true;
}

/**
 * Tells a plan's owner what changed; false when the order has no account. With `links`, the mail about a cancellation has a link that
 * undoes it until the term ends.
 */
export async function tellOwner(
  queries: Queries,
  world: World,
  order: Bought,
  told: PlanNews,
  links: Pick<Links, "create"> | null = null,
): Promise<boolean> {
  const account = await ownerOf(queries, order.account_uuid);
  if (account === undefined) return false;
  const to = { accountUuid: account.uuid, locale: knownLocale(account.locale), recipient: account.email };
  const { news, at = null, money = null, next = null, over = false, sooner = false } = told;
  // The mail about the cancellation has told the early end (decision 131).
  if (sooner && (await partToGiveBack(queries, order.id)) !== null) return true;
  const { firstname } = account;
  const day = daysOf(order);
  const today = day.now(world.now());
  const moneyBackUntil = await moneyBackDay(queries, order, world.now());
  if (news === "cancelled") {
    const early = at === null ? null : await planEarlyEnd(queries, world, order, to.locale);
    const end = early?.endsAt ?? at;
    const owner = { accountUuid: account.uuid, email: account.email };
    const linkId = links === null || end === null ? null : await links.create(queries, "keep", owner, undefined, end);
    const data = {
      firstname,
      cancelledOn: today,
      until: end === null ? null : day.charge(end),
      moneyBackUntil,
      withdrawn: await isWithdrawn(queries, order.id),
      ...(linkId !== null && { linkId }),
      ...(early !== null && { rest: { total: early.back, currency: order.currency } }),
    };
    await queueMail(queries, world, { ...to, template: "cancelled", data });
    return true;
  }
  if (news === "kept") {
    await forgetEarlyEnd(queries, order.id);
    await queries.deleteFrom("link_tokens").where("account_uuid", "=", account.uuid).where("purpose", "=", "keep").execute();
  }
  const data = {
    firstname,
    news,
    on: today,
    at: at === null ? null : day.charge(at),
    orderId: order.id,
    plan: order.product_plan,
    productType: order.product_type,
    currency: order.currency,
    total: money?.total ?? null,
    tax: money?.tax ?? null,
    next: next === null ? null : day.charge(next),
    price: await renewalPrice(queries, order),
    ...(moneyBackUntil !== null && { moneyBackUntil }),
    ...(over && { over }),
  };
  await queueMail(queries, world, { ...to, template: "planNews", data });
  return true;
}

/** Whether the buyer withdrew from the contract, which is no cancellation. */
async function isWithdrawn(queries: Queries, orderId: string): Promise<boolean> {
  const duty = await queries
    .selectFrom("payment_duties")
    .select("subject")
    .where("order_id", "=", orderId)
    .where("reason", "=", withdrawnByBuyer)
    .executeTakeFirst();
  return duty !== undefined;
}
