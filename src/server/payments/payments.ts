/** Orders opened, told and asked about, reconciled. */
import type { World } from "../parts.ts";
import type { Store } from "../store/store.ts";
import { offer, salesOf } from "./catalogue.ts";
import { entitlementNow, isUsable } from "./entitlement.ts";
import { createLedger, type LedgerLog } from "./ledger.ts";
import { type PaymentProvider, ProviderFailure } from "./provider.ts";
import type { OpenResult, OrderRequest, PaymentService } from "./service.ts";

export interface PaymentParts {
  readonly store: Store;
  readonly world: World;
  readonly provider: PaymentProvider;
  readonly log: LedgerLog;
  /** Rows were added to the mail outbox. */
  readonly onMail: () => void;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
/** An open order is taken up again for so long; later a new one is made. */
const orderLifeMs = dayMs;
/** A checkout page polls every 1.5 s; the provider is asked at most this often about one order. */
const askAgainMs = 10 * secondMs;
/** A webhook normally comes first. */
const webhookHeadStartMs = 5 * secondMs;
const reconcileEveryMs = minuteMs;
const reconcileBatch = 50;
/** Nobody pays a checkout that old. */
const forgottenMs = 4 * dayMs;

export function createPayments(parts: PaymentParts): PaymentService {
  const { store, world, provider, log } = parts;
  const ledger = createLedger(parts);
  let background: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const inBackground = (what: string, work: () => Promise<void>) => {
    background = background.then(work).catch((error: unknown) => log.error({ err: error }, what));
  };

  const ordersOf = (accountUuid: string) =>
    store.read.selectFrom("orders").selectAll().where("account_uuid", "=", accountUuid).orderBy("created_at", "desc").orderBy("id");

  async function entitledOrders(accountUuid: string) {
    const rows = await store.read
      .selectFrom("entitlements")
      .innerJoin("orders", "orders.id", "entitlements.order_id")
      .select(["entitlements.status", "entitlements.ends_at", "orders.product_type", "orders.transaction_id", "orders.hosted_url"])
      .where("entitlements.account_uuid", "=", accountUuid)
      .orderBy("entitlements.created_at", "desc")
      .execute();
    return rows.flatMap(({ status, ends_at: end, ...order }) =>
      status === "active" || status === "past_due" || status === "paused" || status === "deleted"
        ? [{ ...order, state: entitlementNow({ status, end }, order.product_type, world.now()) }]
        : [],
    );
  }

  /** The open order for this product and coupon, made if there is none. Written before anything is sent. */
  async function openOrder(accountUuid: string, productId: string, couponCode: string | undefined) {
    const [sale] = await salesOf(store, [productId], couponCode);
    if (sale === undefined) return null;
    const now = world.now();
    const { product, priceId, couponCode: coupon } = sale;
    const find = async () => {
      const query = ordersOf(accountUuid).where("product_id", "=", productId).where("status", "=", "pending");
      return (coupon === null ? query.where("coupon_code", "is", null) : query.where("coupon_code", "=", coupon)).executeTakeFirst();
    };
    const known = await find();
    if (known !== undefined && known.price === product.price && known.price_id === priceId && now - known.created_at < orderLifeMs)
      return known;
    if (known !== undefined)
      await store.write((queries) =>
        queries
          .updateTable("orders")
          .set({ status: "cancelled", updated_at: now })
          .where("id", "=", known.id)
          .where("status", "=", "pending")
          .execute(),
      );
    const order = {
      id: world.uuid(),
      account_uuid: accountUuid,
      product_id: product.productId,
      product_type: product.productType,
      product_plan: product.productPlan,
      trial_days: product.trialDays,
      price_id: priceId,
      quantity: 1,
      currency: product.currency,
      price: product.price,
      coupon_code: coupon,
      payment_provider: product.paymentProvider,
      status: "pending",
      transaction_id: null,
      hosted_url: null,
      subscription_id: null,
      created_at: now,
      updated_at: now,
      checked_at: null,
    };
    const made = await store.write((queries) =>
      queries
        .insertInto("orders")
        .values(order)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst(),
    );
    if (made !== undefined) return order;
    // Another process was first: its order is ours too.
    const theirs = await find();
    if (theirs === undefined) throw new Error("An open order was there and is gone");
    return theirs;
  }

  async function open<Refused>({ accountUuid, productId, couponCode, mayCreate }: OrderRequest<Refused>): Promise<OpenResult<Refused>> {
    // Who has what they would buy is not charged again: the form then says that this is paid.
    const paid = (await entitledOrders(accountUuid)).find(({ state }) => isUsable(state));
    if (paid?.transaction_id != null) return { kind: "open", checkout: { transactionId: paid.transaction_id, hostedUrl: paid.hosted_url } };
    const order = await openOrder(accountUuid, productId, couponCode);
    if (order === null) return { kind: "not sold" };
    if (order.transaction_id !== null)
      return { kind: "open", checkout: { transactionId: order.transaction_id, hostedUrl: order.hosted_url } };
    const refusal = await mayCreate();
    if (refusal !== null) return { kind: "refused", refusal };
    try {
      // `checked_at` is set once the provider was asked: an answer may have been lost, so look before asking again.
      const lost = order.checked_at === null ? null : await provider.findCheckout(order.id, order.created_at);
      await store.write((queries) => queries.updateTable("orders").set({ checked_at: world.now() }).where("id", "=", order.id).execute());
      const checkout =
        lost ??
        (await provider.createCheckout({ id: order.id, priceId: order.price_id, quantity: order.quantity, couponCode: order.coupon_code }));
      await store.write((queries) =>
        queries
          .updateTable("orders")
          .set({ transaction_id: checkout.transactionId, hosted_url: checkout.hostedUrl, updated_at: world.now() })
          .where("id", "=", order.id)
          // The webhook of its creation may have been quicker than the answer.
          .where((expression) =>
            expression.or([expression("transaction_id", "is", null), expression("transaction_id", "=", checkout.transactionId)]),
          )
          .execute(),
      );
      const row = await store.read
        .selectFrom("orders")
        .select(["transaction_id", "hosted_url"])
        .where("id", "=", order.id)
        .executeTakeFirst();
      return {
        kind: "open",
        checkout: { transactionId: row?.transaction_id ?? checkout.transactionId, hostedUrl: row?.hosted_url ?? checkout.hostedUrl },
      };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ order: order.id, kind: error.kind, err: error }, "The payment provider failed to open a checkout.");
      return { kind: "provider failed" };
    }
  }

  // Two taps of one person open one checkout; across processes the unique open order and the bound transaction see to it.
  const opening = new Map<string, Promise<unknown>>();
  function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = (opening.get(key) ?? Promise.resolve()).then(work);
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    opening.set(key, settled);
    void settled.then(() => opening.get(key) === settled && opening.delete(key));
    return run;
  }

  /** Asks the provider how an order stands; a provider that does not answer is asked again later. */
  async function recheck(order: {
    readonly id: string;
    readonly transaction_id: string | null;
    readonly subscription_id: string | null;
  }): Promise<void> {
    if (order.transaction_id === null) return;
    await store.write((queries) => queries.updateTable("orders").set({ checked_at: world.now() }).where("id", "=", order.id).execute());
    try {
      await ledger.apply(await provider.readTransaction(order.transaction_id));
      const row = await store.read.selectFrom("orders").select("subscription_id").where("id", "=", order.id).executeTakeFirst();
      if (row?.subscription_id != null) await ledger.apply([await provider.readSubscription(row.subscription_id)]);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ order: order.id, kind: error.kind, err: error }, "The payment provider did not say how an order stands.");
    }
  }

  async function reconcile(): Promise<void> {
    await ledger.applyStored();
    const now = world.now();
    const waiting = await store.read
      .selectFrom("orders")
      .selectAll()
      .where("status", "=", "pending")
      .where("transaction_id", "is not", null)
      .where("created_at", ">", now - forgottenMs)
      .where((expression) => expression.or([expression("checked_at", "is", null), expression("checked_at", "<", now - reconcileEveryMs)]))
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
        expression.or([expression("orders.checked_at", "is", null), expression("orders.checked_at", "<", now - 60 * reconcileEveryMs)]),
      )
      .limit(reconcileBatch)
      .execute();
    for (const order of [...waiting, ...silent]) await recheck(order);
  }

  return {
    entitlementExists: async (accountUuid) =>
      (await store.read.selectFrom("entitlements").select("order_id").where("account_uuid", "=", accountUuid).executeTakeFirst()) !==
      undefined,
    offer: (productIds, country, couponCode) => offer(store, productIds, country, couponCode),
    open: (order) => oneAtATime(order.accountUuid, () => open(order)),
    statusOf: async (accountUuid, paymentId) => {
      const find = () =>
        (paymentId === "" ? ordersOf(accountUuid) : ordersOf(accountUuid).where("transaction_id", "=", paymentId)).executeTakeFirst();
      let order = await find();
      const now = world.now();
      if (order?.status === "pending" && now - order.created_at > webhookHeadStartMs && now - (order.checked_at ?? 0) > askAgainMs) {
        await recheck(order);
        order = await find();
      }
      const status = order?.status;
      return status === "pending" || status === "completed" || status === "failed" ? status : "cancelled";
    },
    entitlementsOf: async (accountUuid) => (await entitledOrders(accountUuid)).map(({ state }) => state),
    receive: async (rawBody, headers) => {
      const event = provider.verify(rawBody, headers, world.now());
      if (event === null) return false;
      await ledger.store(event);
      inBackground("A stored webhook could not be applied; it is tried again.", ledger.applyStored);
      return true;
    },
    reconcile,
    start: () => {
      inBackground("Payments could not be reconciled.", reconcile);
      timer = setInterval(() => inBackground("Payments could not be reconciled.", reconcile), reconcileEveryMs).unref();
    },
    settled: async () => {
      let seen: Promise<unknown> | null = null;
      while (seen !== background) {
        seen = background;
        await seen;
      }
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      await background;
    },
  };
}
