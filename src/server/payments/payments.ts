/** Orders opened, told and asked about, reconciled. */
import type { Queries } from "../store/schema.ts";
import { offer, salesOf } from "./catalogue.ts";
import { applyStored, noteAllBuyers, receive } from "./webhooks.ts";
import { carryOut, carryOutSoon, endContracts } from "./carryOut.ts";
import { mailLink, openCheckout } from "./checkouts.ts";
import { reconcile, reconcileEveryMs } from "./reconciliation.ts";
import { bookEarlier } from "./entries.ts";
import { createPaymentsWorld, deskOf, type PaymentParts } from "./paymentsWorld.ts";
import { statusOf } from "./paymentStatus.ts";
import { entitledOrders, lockAccount } from "./accountOrders.ts";
import { cardPage, changePlan, currentPlan } from "./plans.ts";
import { addGift } from "./gifts.ts";
import { beginRefund } from "./refunds.ts";
import { soldDifferences } from "./priceCheck.ts";
import type { PaymentService } from "./service.ts";

export function createPayments(parts: PaymentParts): PaymentService {
  const payments = createPaymentsWorld(parts);
  const { store, world, background, desks, trials, oneAtATime } = payments;
  return {
    providers: desks.map(({ provider }) => provider.name),
    entitlementExists: async (accountUuid) =>
      (await store.read.selectFrom("entitlements").select("order_id").where("account_uuid", "=", accountUuid).executeTakeFirst()) !==
      undefined,
    offer: (productIds, to) => offer(store, productIds, to, world.now()),
    couponFor: async (productId, code) => (await salesOf(store, [productId], code))[0]?.couponCode ?? null,
    freeDaysOf: (accountUuid) => trials.freeDaysOf(store.read, accountUuid),
    open: (order) => oneAtATime(order.accountUuid, () => openCheckout(payments, order)),
    statusOf: (accountUuid, paymentId) => statusOf(payments, accountUuid, paymentId),
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
    reconcile: () => reconcile(payments),
    start: () => {
      background.run("bookEarlier", async () => {
        for (const { provider } of desks) await bookEarlier(store, provider.name);
      });
      background.run("noteTrials", trials.catchUp);
      background.repeat(() => {
        background.runSoon("reconcile", () => reconcile(payments));
        background.runSoon("noteBuyers", () => noteAllBuyers(payments));
      }, reconcileEveryMs);
    },
    settled: background.settled,
    stop: background.stop,
  };
}
