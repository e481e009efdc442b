/** Orders opened, told and asked about, reconciled. */
import { sql } from "kysely";
import type { Queries } from "../store/schema.ts";
import { offer, salesOf } from "./catalogue.ts";
import { applyStored, noteAllBuyers, receive } from "./webhooks.ts";
import { carryOut, carryOutSoon, endContracts } from "./carryOut.ts";
import { mailLink, openCheckout } from "./checkouts.ts";
import { remindOfRenewals } from "./renewalReminders.ts";
import { remindOfCharges } from "./reminders.ts";
import { bookEarlier } from "./entries.ts";
import { createPaymentsWorld, deskOf, type PaymentParts } from "./paymentsWorld.ts";
import { ask, claimAsking, withinPatience } from "./askProvider.ts";
import { entitledOrders, lockAccount, ordersOf, usableOrder } from "./accountOrders.ts";
import { cardPage, changePlan, currentPlan } from "./plans.ts";
import { addGift } from "./gifts.ts";
import { beginRefund } from "./refunds.ts";
import { soldDifferences } from "./priceCheck.ts";
import type { PaymentService, PaymentState, Purchase } from "./service.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
/** A checkout page polls every 1.5 s; the provider is asked at most this often about one order. */
const askAgainMs = 10 * secondMs;
/** A webhook normally comes first. */
const webhookHeadStartMs = 5 * secondMs;
const reconcileEveryMs = minuteMs;
const reconcileBatch = 50;
/** Nobody pays a checkout that old. */
const forgottenMs = 4 * dayMs;

export function createPayments(parts: PaymentParts): PaymentService {
  const payments = createPaymentsWorld(parts);
  const { store, world, background, desks, trials, oneAtATime } = payments;
  async function reconcile(): Promise<void> {
    await applyStored(payments);
    for (const { ledger } of desks) await ledger.applyAccepted();
    const now = world.now();
    const waiting = await store.read
      .selectFrom("orders")
      .selectAll()
      .where("status", "=", "pending")
      .where((expression) => expression.or([expression("transaction_id", "is not", null), expression("hosted_url", "is not", null)]))
      .where("created_at", ">", now - forgottenMs)
      // The older it is, the rarer: most were left by visitors who went away.
      .where((expression) =>
        expression.or([
          expression("checked_at", "is", null),
          // Asked before the clock went back.
          expression("checked_at", ">", now),
          expression.and([
            expression("checked_at", "<", now - reconcileEveryMs),
            sql<boolean>`checked_at < ${now} - (${now} - created_at) / 10`,
          ]),
        ]),
      )
      .orderBy("checked_at")
      .limit(reconcileBatch)
      .execute();
    // A subscription past its end with no word of a renewal.
    const silent = await store.read
      .selectFrom("entitlements")
      .innerJoin("orders", "orders.id", "entitlements.order_id")
      .selectAll("orders")
      .where("entitlements.status", "in", ["active", "past_due"])
      .where("entitlements.ends_at", "<", now)
      .where("orders.product_type", "=", "subscription")
      .where((expression) =>
        expression.or([
          expression("orders.checked_at", "is", null),
          expression("orders.checked_at", ">", now),
          expression("orders.checked_at", "<", now - 60 * reconcileEveryMs),
        ]),
      )
      .limit(reconcileBatch)
      .execute();
    for (const order of [...waiting, ...silent])
      if (!background.stopped() && (await claimAsking(payments, order))) await ask(payments, order);
    await endContracts(payments);
    const trialsToldOf = !background.stopped() && (await remindOfCharges(store, world));
    const renewalsToldOf = !background.stopped() && (await remindOfRenewals(store, world));
    if (trialsToldOf || renewalsToldOf) parts.onMail();
  }

  async function statusOf(accountUuid: string, paymentId: string): Promise<PaymentState> {
    const find = () =>
      (paymentId === ""
        ? ordersOf(store.read, accountUuid)
        : ordersOf(store.read, accountUuid).where((expression) =>
            expression.or([expression("transaction_id", "=", paymentId), expression("id", "=", paymentId)]),
          )
      ).executeTakeFirst();
    let order = await find();
    const now = world.now();
    // What lies ahead was before the clock went back.
    const isPast = (at: number, by: number) => at > now || now - at > by;
    const quiet = order?.status === "pending" && isPast(order.created_at, webhookHeadStartMs) && isPast(order.checked_at ?? 0, askAgainMs);
    if (order !== undefined && quiet && (await claimAsking(payments, order))) {
      await withinPatience(payments, ask(payments, order));
      order = await find();
    }
    // Two tabs: whichever was paid, this account has a plan, and nothing else is charged.
    const usable = await usableOrder(store.read, world, accountUuid);
    const settled = paymentId === "" || order?.status === "duplicate" ? (usable ?? order) : order;
    const status = settled?.status;
    const purchase: Purchase | null =
      settled === undefined || status !== "completed"
        ? null
        : {
            orderId: settled.id,
            productId: settled.product_id,
            productType: settled.product_type,
            productPlan: settled.product_plan,
            currency: settled.currency,
            price: settled.price,
            trialDays: settled.trial_days,
            couponCode: settled.coupon_code,
          };
    return { status: status === "pending" || status === "completed" || status === "failed" ? status : "cancelled", purchase };
  }

  return {
    providers: desks.map(({ provider }) => provider.name),
    entitlementExists: async (accountUuid) =>
      (await store.read.selectFrom("entitlements").select("order_id").where("account_uuid", "=", accountUuid).executeTakeFirst()) !==
      undefined,
    offer: (productIds, to) => offer(store, productIds, to, world.now()),
    couponFor: async (productId, code) => (await salesOf(store, [productId], code))[0]?.couponCode ?? null,
    freeDaysOf: (accountUuid) => trials.freeDaysOf(store.read, accountUuid),
    open: (order) => oneAtATime(order.accountUuid, () => openCheckout(payments, order)),
    statusOf,
    entitlementsOf: async (accountUuid) => (await entitledOrders(store.read, world, accountUuid)).map(({ state }) => state),
    planOf: async (accountUuid) => (await currentPlan(payments, accountUuid))?.plan ?? null,
    changePlan: (accountUuid, action, note) => changePlan(payments, accountUuid, action, note),
    giveBack: async (request, note) => {
      const answer = await store.write(async (queries) => {
        await lockAccount(queries, world, request.accountUuid);
        const begun = await beginRefund(queries, request, (name) => deskOf(payments, name)?.provider ?? null, world.now());
        if (begun === "begun") await note(queries);
        return begun;
      });
      if (answer === "begun") carryOutSoon(payments);
      return answer;
    },
    giveDays: (accountUuid, gift, note) =>
      oneAtATime(accountUuid, async () => {
        const current = await currentPlan(payments, accountUuid);
        const order =
          current === null ? null : await store.read.selectFrom("orders").selectAll().where("id", "=", current.orderId).executeTakeFirst();
        const ledger = order == null ? undefined : deskOf(payments, order.payment_provider)?.ledger;
        if (current === null || order?.transaction_id == null || ledger === undefined || current.plan.status === "paused") return "no plan";
        const add = async (queries: Queries) => {
          await lockAccount(queries, world, accountUuid);
          return addGift(queries, { ...order, account_uuid: accountUuid }, gift, world.now());
        };
        return ledger.give(order.id, add, note);
      }),
    cardPage: (accountUuid) => cardPage(payments, accountUuid),
    mailLink: (accountUuid, url, language) => mailLink(payments, accountUuid, url, language),
    receive: (name, rawBody, headers) => receive(payments, name, rawBody, headers),
    endContracts: () => background.run("endContracts", () => endContracts(payments)),
    noteBuyers: () => noteAllBuyers(payments),
    moneyAt: async (name, since) => {
      const desk = deskOf(payments, name);
      if (desk === null) return null;
      const sold = await store.read.selectFrom("products").select("price_id").where("payment_provider", "=", name).execute();
      return desk.provider.listMoney(
        since,
        sold.map(({ price_id: priceId }) => priceId),
      );
    },
    take: async (name, facts) => {
      await deskOf(payments, name)?.ledger.apply(facts);
    },
    priceDifferences: async (name) => {
      const desk = deskOf(payments, name);
      return desk === null ? [] : soldDifferences(store, desk.provider);
    },
    carryOut: () => carryOut(payments),
    applyStored: () => applyStored(payments),
    reconcile,
    start: () => {
      background.run("bookEarlier", async () => {
        for (const { provider } of desks) await bookEarlier(store, provider.name);
      });
      background.run("noteTrials", trials.catchUp);
      background.repeat(() => {
        background.runSoon("reconcile", reconcile);
        background.runSoon("noteBuyers", () => noteAllBuyers(payments));
      }, reconcileEveryMs);
    },
    settled: background.settled,
    stop: background.stop,
  };
}
