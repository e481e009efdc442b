/** Assembles the payment service (`service.ts`) from its parts. */
import { entitledOrders } from "./accountOrders.ts";
import { carryOut, endContracts } from "./carryOut.ts";
import { couponOf, couponUse, offer } from "./catalogue.ts";
import { mailPayLink, openCheckout } from "./checkouts.ts";
import { bookEarlier } from "./entries.ts";
import { createPaymentsWorld, channelOf, type PaymentParts, type PaymentsWorld } from "./paymentsWorld.ts";
import { statusOf } from "./paymentStatus.ts";
import { cardPage, changePlan, currentPlan } from "./plans.ts";
import { soldDifferences } from "./priceCheck.ts";
import { reconcile, reconcileEveryMs } from "./reconciliation.ts";
import type { PaymentService } from "./service.ts";
import { refundPayment, grantDays } from "./support.ts";
import { applyStored, noteAllBuyers, receive } from "./webhooks.ts";
import { hasWithdrawnOften } from "./withdrawnOrders.ts";

export function createPayments(parts: PaymentParts): PaymentService {
  const payments = createPaymentsWorld(parts);
  const { store, world, background, channels, trials, oneAtATime } = payments;
  return {
    providers: channels.map(({ provider }) => provider.name),
    entitlementExists: async (accountUuid) =>
      (await store.read.selectFrom("entitlements").select("order_id").where("account_uuid", "=", accountUuid).executeTakeFirst()) !==
      undefined,
    offer: (productIds, to) => offer(store, productIds, to, world.now()),
    isCoupon: async (code) => (await couponOf(store, code)) !== undefined,
    couponFor: (productId, code) => couponUse(store, productId, code),
    freeDaysOf: (accountUuid) => trials.freeDaysOf(store.read, accountUuid),
    hasWithdrawnOften: (accountUuid) => hasWithdrawnOften(store.read, accountUuid, world.now()),
    open: (order) => oneAtATime(order.accountUuid, () => openCheckout(payments, order)),
    statusOf: (accountUuid, paymentId, mayAsk) => statusOf(payments, accountUuid, paymentId, mayAsk),
    entitlementsOf: async (accountUuid) => (await entitledOrders(store.read, world, accountUuid)).map(({ state }) => state),
    planOf: async (accountUuid) => (await currentPlan(payments, accountUuid))?.plan ?? null,
    changePlan: (accountUuid, action, note) => changePlan(payments, accountUuid, action, note),
    refundPayment: (request, note) => refundPayment(payments, request, note),
    grantDays: (accountUuid, gift, note) => grantDays(payments, accountUuid, gift, note),
    cardPage: (accountUuid) => cardPage(payments, accountUuid),
    mailPayLink: (accountUuid, url, language) => mailPayLink(payments, accountUuid, url, language),
    receive: (name, rawBody, headers) => receive(payments, name, rawBody, headers),
    endContracts: () => background.run("endContracts", () => endContracts(payments)),
    noteBuyers: () => noteAllBuyers(payments),
    listMoney: async (name, since) => {
      const channel = channelOf(payments, name);
      if (channel === null) return null;
      const sold = await store.read.selectFrom("products").select("price_id").where("payment_provider", "=", name).execute();
      return channel.provider.listMoney(
        since,
        sold.map(({ price_id: priceId }) => priceId),
      );
    },
    applyFacts: async (name, facts) => {
      await channelOf(payments, name)?.ledger.apply(facts);
    },
    priceDifferences: async (name) => {
      const channel = channelOf(payments, name);
      return channel === null ? [] : soldDifferences(store, channel.provider);
    },
    carryOut: () => carryOut(payments),
    applyStored: () => applyStored(payments),
    reconcile: () => reconcile(payments),
    start: () => start(payments),
    settled: background.settled,
    stop: background.stop,
  };
}

function start(payments: PaymentsWorld): void {
  const { store, background, channels, trials } = payments;
  background.run("bookEarlier", async () => {
    for (const { provider } of channels) await bookEarlier(store, provider.name, background.stopped);
  });
  background.run("noteTrials", trials.catchUp);
  background.repeat(() => {
    background.runSoon("reconcile", () => reconcile(payments));
    background.runSoon("noteBuyers", () => noteAllBuyers(payments));
  }, reconcileEveryMs);
}
