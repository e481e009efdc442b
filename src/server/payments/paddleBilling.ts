/** Paddle Billing through its official SDK; its webhooks read by ourselves. */
import {
  ApiError,
  type Environment,
  LogLevel,
  Paddle,
  type Subscription,
  type Transaction,
  type TransactionAdjustment,
  type TransactionDetails,
} from "@paddle/paddle-node-sdk";
import * as v from "valibot";
import { isPaddleSigned } from "./paddleSignature.ts";
import {
  type CheckoutOrder,
  type ListedPrice,
  type OpenCheckout,
  type PaymentProvider,
  ProviderFailure,
  told,
  type VersionedFact,
} from "./provider.ts";

export interface PaddleBillingOptions {
  readonly apiKey: string;
  /** `sandbox`, `production`, or an address that speaks the same API (the stand-in's is known only once it listens). */
  readonly environment: string | (() => string);
  /** All that are valid now: two while one is being replaced. */
  readonly webhookSecrets: readonly string[];
  /** How long an answer is waited for; asked at each call. */
  readonly timeoutMs?: () => number;
}

const defaultTimeoutMs = 10_000;
/** How far back a lost creation is looked for, in transactions. */
const searchDepth = 200;

/** The SDK takes any address as its environment, which its types do not say (pinned, and held by a test). */
function isEnvironment(value: string): value is Environment {
  return value === "sandbox" || value === "production" || URL.canParse(value);
}

// What webhooks and API answers have in common, in the spelling of webhooks.
const period = v.nullish(v.object({ ends_at: v.string() }));
const transactionSchema = v.object({
  id: v.string(),
  status: v.string(),
  origin: v.string(),
  subscription_id: v.nullish(v.string()),
  custom_data: v.nullish(v.record(v.string(), v.unknown())),
  items: v.array(v.object({ price: v.nullish(v.object({ id: v.string() })), quantity: v.number() })),
  currency_code: v.nullish(v.string()),
  details: v.nullish(v.object({ totals: v.nullish(v.object({ total: v.string(), tax: v.string(), fee: v.nullish(v.string()) })) })),
  billing_period: period,
  billed_at: v.nullish(v.string()),
  updated_at: v.string(),
});
const subscriptionSchema = v.object({
  id: v.string(),
  status: v.string(),
  transaction_id: v.nullish(v.string()),
  next_billed_at: v.nullish(v.string()),
  paused_at: v.nullish(v.string()),
  canceled_at: v.nullish(v.string()),
  scheduled_change: v.nullish(v.object({ action: v.string(), effective_at: v.string() })),
  current_billing_period: period,
  updated_at: v.string(),
});
const adjustmentSchema = v.object({
  id: v.string(),
  action: v.string(),
  type: v.nullish(v.string()),
  transaction_id: v.string(),
  subscription_id: v.nullish(v.string()),
  status: v.string(),
  totals: v.nullish(v.object({ total: v.string(), tax: v.nullish(v.string()), fee: v.nullish(v.string()) })),
  created_at: v.nullish(v.string()),
  updated_at: v.string(),
});
const eventSchema = v.object({
  event_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
  event_type: v.pipe(v.string(), v.maxLength(100)),
  occurred_at: v.string(),
  data: v.looseObject({}),
});

const amountOf = (amount: string | null | undefined) => (amount == null ? null : Number(amount));
const ms = (time: string | null | undefined) => (time ? Date.parse(time) : null);
/** Microseconds to the same length everywhere, so that text sorts as time does. */
function stamp(time: string): string {
  const [, whole = time, fraction = ""] = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(time) ?? [];
  return `${whole}.${fraction.padEnd(9, "0").slice(0, 9)}`;
}

/** Whose transactions pay for a plan: ours, the form's, and renewals. The others charge extras, or nothing for another card. */
const periodOrigins = ["api", "web", "subscription_recurring"];
/** A transaction only ever moves up this list, so its status outweighs the clock. */
const transactionOrder = ["draft", "ready", "billed", "past_due", "paid", "canceled", "completed"];

function transactionFact(entity: v.InferOutput<typeof transactionSchema>, at: string): VersionedFact {
  // Paid is captured, not yet processed: what counts is completed.
  const status = entity.status === "completed" || entity.status === "canceled" || entity.status === "past_due" ? entity.status : "open";
  const order = entity.origin === "api" ? entity.custom_data?.["order"] : undefined;
  return {
    version: `${String(transactionOrder.indexOf(entity.status) + 1).padStart(2, "0")} ${stamp(at)}`,
    fact: {
      kind: "transaction",
      id: entity.id,
      status,
      items: entity.items.flatMap(({ price, quantity }) => (price ? [{ priceId: price.id, quantity }] : [])),
      subscriptionId: entity.subscription_id ?? null,
      orderId: typeof order === "string" ? order : null,
      total: Number(entity.details?.totals?.total ?? 0),
      tax: Number(entity.details?.totals?.tax ?? 0),
      ...told({ fee: amountOf(entity.details?.totals?.fee) }),
      // Untold it is none that was ordered.
      currency: entity.currency_code ?? "",
      forPeriod: periodOrigins.includes(entity.origin),
      billedAt: ms(entity.billed_at),
      periodEnd: ms(entity.billing_period?.ends_at),
    },
  };
}

function subscriptionFact(entity: v.InferOutput<typeof subscriptionSchema>, at: string): VersionedFact | null {
  const status = entity.status === "trialing" ? "active" : entity.status;
  if (status !== "active" && status !== "past_due" && status !== "paused" && status !== "canceled") return null;
  const periodEnd = ms(entity.current_billing_period?.ends_at) ?? ms(entity.next_billed_at);
  const end = status === "canceled" ? ms(entity.canceled_at) : status === "paused" ? (ms(entity.paused_at) ?? periodEnd) : periodEnd;
  const planned = entity.scheduled_change;
  // `created` and `activated` can carry the same moment; what was changed later is newer, and a status that ends outweighs.
  const weight = ["active", "past_due", "paused", "canceled"].indexOf(status);
  return {
    version: `${stamp(at)} ${stamp(entity.updated_at)} ${weight}`,
    fact: {
      kind: "subscription",
      id: entity.id,
      status,
      transactionId: entity.transaction_id ?? null,
      end,
      trialing: entity.status === "trialing",
      nextCharge: ms(entity.next_billed_at),
      change:
        planned?.action === "cancel" || planned?.action === "pause" || planned?.action === "resume"
          ? { action: planned.action, at: Date.parse(planned.effective_at) }
          : null,
    },
  };
}

function adjustmentFact(entity: v.InferOutput<typeof adjustmentSchema>, at: string): VersionedFact {
  const action =
    entity.action === "refund" || entity.action === "chargeback" || entity.action === "chargeback_reverse" ? entity.action : "other";
  return {
    version: `${stamp(at)} ${entity.status === "pending_approval" ? 0 : 1}`,
    fact: {
      kind: "adjustment",
      id: entity.id,
      transactionId: entity.transaction_id,
      subscriptionId: entity.subscription_id ?? null,
      action,
      full: entity.type === "full",
      approved: entity.status === "approved",
      total: entity.totals ? Number(entity.totals.total) : null,
      ...told({ tax: amountOf(entity.totals?.tax), fee: amountOf(entity.totals?.fee) }),
      at: ms(entity.created_at ?? entity.updated_at),
    },
  };
}

// The SDK spells what it has read in camelCase.
const fromTransaction = (entity: Transaction) =>
  transactionFact(
    {
      id: entity.id,
      status: entity.status,
      origin: entity.origin,
      subscription_id: entity.subscriptionId,
      custom_data: v.parse(v.nullish(v.record(v.string(), v.unknown())), entity.customData),
      items: entity.items.map(({ price, quantity }) => ({ price: price ? { id: price.id } : null, quantity })),
      currency_code: entity.currencyCode,
      details: entity.details?.totals ? { totals: entity.details.totals } : null,
      billing_period: entity.billingPeriod ? { ends_at: entity.billingPeriod.endsAt } : null,
      billed_at: entity.billedAt,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );
const fromSubscription = (entity: Subscription) =>
  subscriptionFact(
    {
      id: entity.id,
      status: entity.status,
      next_billed_at: entity.nextBilledAt,
      paused_at: entity.pausedAt,
      canceled_at: entity.canceledAt,
      scheduled_change: entity.scheduledChange
        ? { action: entity.scheduledChange.action, effective_at: entity.scheduledChange.effectiveAt }
        : null,
      current_billing_period: entity.currentBillingPeriod ? { ends_at: entity.currentBillingPeriod.endsAt } : null,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );
const fromAdjustment = (
  entity: Pick<
    TransactionAdjustment,
    "id" | "action" | "transactionId" | "subscriptionId" | "status" | "totals" | "createdAt" | "updatedAt"
  >,
  full: boolean,
) =>
  adjustmentFact(
    {
      id: entity.id,
      action: entity.action,
      type: full ? "full" : null,
      transaction_id: entity.transactionId,
      subscription_id: entity.subscriptionId,
      status: entity.status,
      totals: entity.totals,
      created_at: entity.createdAt,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );

function withAdjustments(transaction: Transaction): readonly VersionedFact[] {
  const total = transaction.details?.totals?.grandTotal;
  return [
    fromTransaction(transaction),
    ...(transaction.adjustments ?? []).map((adjustment) => fromAdjustment(adjustment, adjustment.totals?.total === total)),
  ];
}

/** What is left of an amount after what was given back of it. */
function minus(amount: string | undefined, given: readonly { readonly totals: { readonly total: string } | null }[]): number {
  return given.reduce((left, { totals }) => left - Number(totals?.total ?? 0), Number(amount ?? 0));
}

/** What is left of each line of a transaction, to be given back. */
function itemsLeft({ lineItems }: TransactionDetails, given: readonly TransactionAdjustment[]) {
  return lineItems.flatMap(({ id: itemId, totals }) => {
    const left = minus(
      totals?.total,
      given.flatMap(({ items }) => items.filter((item) => item.itemId === itemId)),
    );
    return left > 0 ? [{ itemId, type: "partial" as const, amount: String(left) }] : [];
  });
}

/** As much of each line as it takes to give an amount back. */
function upTo(wanted: number, items: ReturnType<typeof itemsLeft>): ReturnType<typeof itemsLeft> {
  let open = wanted;
  return items.flatMap((item) => {
    const amount = Math.min(open, Number(item.amount));
    open -= amount;
    return amount > 0 ? [{ ...item, amount: String(amount) }] : [];
  });
}

export function createPaddleBilling(options: PaddleBillingOptions): PaymentProvider {
  let client: Paddle | null = null;
  function paddle(): Paddle {
    const environment = typeof options.environment === "string" ? options.environment : options.environment();
    if (!isEnvironment(environment)) throw new Error(`Paddle's environment is neither sandbox, production nor an address: ${environment}`);
    return (client ??= new Paddle(options.apiKey, { environment, logLevel: LogLevel.none }));
  }
  /** The SDK has no time-out, and throws a SyntaxError for a 5xx that is not JSON. */
  async function ask<T>(what: string, work: () => Promise<T>): Promise<T> {
    const timeoutMs = options.timeoutMs?.() ?? defaultTimeoutMs;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new ProviderFailure("timeout", `Paddle did not answer within ${timeoutMs} ms: ${what}`)),
      timeoutMs,
    );
    try {
      return await Promise.race([work(), late.promise]);
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      if (error instanceof ApiError && error.type === "request_error")
        throw new ProviderFailure("refused", `Paddle refused: ${what}: ${error.code} ${error.detail}`, error);
      throw new ProviderFailure("unavailable", `Paddle did not do it: ${what}: ${String(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Transactions take a discount's id, not its code. */
  async function discountId(code: string): Promise<string> {
    const found = await ask(`discount ${code}`, () =>
      paddle()
        .discounts.list({ code: [code], status: ["active"] })
        .next(),
    );
    const [discount] = found;
    if (discount === undefined) throw new ProviderFailure("refused", `Paddle has no discount ${code}`);
    return discount.id;
  }

  const opened = (transaction: Transaction): OpenCheckout => ({
    transactionId: transaction.id,
    hostedUrl: transaction.checkout?.url ?? null,
  });

  function known(subscription: Subscription): readonly VersionedFact[] {
    const fact = fromSubscription(subscription);
    if (fact === null) throw new Error(`subscription ${subscription.id} has a status we do not know`);
    return [fact];
  }

  return {
    name: "paddlebilling",
    keepsCancelled: true,
    createCheckout: async (order: CheckoutOrder) => {
      const discount = order.couponCode === null ? null : await discountId(order.couponCode);
      return ask(`transaction for order ${order.id}`, async () =>
        opened(
          await paddle().transactions.create({
            items: [{ priceId: order.priceId, quantity: order.quantity }],
            discountId: discount,
            customData: { order: order.id },
          }),
        ),
      );
    },
    findCheckout: (orderId, since) =>
      ask(`transactions since ${since}`, async () => {
        let seen = 0;
        // Newest first; whatever the order's creation left behind is among the last ones.
        for await (const transaction of paddle().transactions.list({
          "createdAt[GTE]": new Date(since).toISOString(),
          origin: ["api"],
          perPage: 100,
        })) {
          if (transaction.status !== "canceled" && v.is(v.looseObject({ order: v.literal(orderId) }), transaction.customData))
            return opened(transaction);
          if (++seen >= searchDepth) return null;
        }
        return null;
      }),
    hostedLink: (hostedUrl, { language, returnUrl }) => {
      const url = new URL(hostedUrl);
      url.searchParams.set("locale", language);
      url.searchParams.set("return", returnUrl);
      return url.href;
    },
    cancelCheckout: async (id) => {
      try {
        await ask(`cancelling transaction ${id}`, () => paddle().transactions.update(id, { status: "canceled" }));
        return true;
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === "refused") return false;
        throw error;
      }
    },
    readOrder: async ({ transactionId: id }) =>
      id === null
        ? []
        : ask(`transaction ${id}`, async () => withAdjustments(await paddle().transactions.get(id, { include: ["adjustment"] }))),
    readSubscription: (id) => ask(`subscription ${id}`, async () => known(await paddle().subscriptions.get(id))),
    changeSubscription: (id, action) =>
      ask(`${action} subscription ${id}`, async () => {
        const { subscriptions } = paddle();
        switch (action) {
          case "cancel":
            return known(await subscriptions.cancel(id, { effectiveFrom: "next_billing_period" }));
          case "pause":
            return known(await subscriptions.pause(id, { effectiveFrom: "next_billing_period" }));
          case "resume":
            return known(await subscriptions.resume(id, { effectiveFrom: "immediately" }));
          case "keep":
            return known(await subscriptions.update(id, { scheduledChange: null }));
        }
      }),
    endSubscription: async (id) => {
      const subscription = await ask(`subscription ${id}`, () => paddle().subscriptions.get(id));
      if (subscription.status === "canceled") return;
      await ask(`ending subscription ${id}`, () => paddle().subscriptions.cancel(id, { effectiveFrom: "immediately" }));
    },
    cardPage: (id) =>
      ask(`portal of subscription ${id}`, async () => {
        const { customerId } = await paddle().subscriptions.get(id);
        const { urls } = await paddle().customerPortalSessions.create(customerId, [id]);
        return urls.subscriptions.find((subscription) => subscription.id === id)?.updateSubscriptionPaymentMethod ?? urls.general.overview;
      }),
    knowsParts: true,
    refund: async (transactionId, reason, part) => {
      const { details, adjustments } = await ask(`transaction ${transactionId}`, () =>
        paddle().transactions.get(transactionId, { include: ["adjustment"] }),
      );
      if (details === null) return;
      const given = (adjustments ?? []).filter(({ action, status }) => action === "refund" && status !== "rejected");
      const times = (action: string) => (adjustments ?? []).filter((one) => one.action === action && one.status !== "rejected").length;
      // The buyer's bank has taken all of it.
      if (times("chargeback") > times("chargeback_reverse")) return;
      const left = minus(details.totals?.grandTotal, given);
      if (left <= 0) return;
      const mark = part?.id == null ? reason : `${reason} ${part.id}`;
      // Paddle keeps the reason: by it what was asked for before is known again, whatever came of it. What has no id is known by its sum.
      const isKnown =
        part?.id == null
          ? given.some(({ totals }) => Number(totals?.total) === part?.amount)
          : (adjustments ?? []).some((one) => one.reason === mark);
      if (isKnown) return;
      if (part !== undefined && part.amount > left)
        throw new ProviderFailure("refused", `Only ${left} of transaction ${transactionId} is left to be given back`);
      // After a part was given back Paddle takes no whole any more, but what is left of each line.
      const whole = { type: "full" } as const;
      const rest = { type: "partial", items: upTo(part?.amount ?? left, itemsLeft(details, given)) } as const;
      await ask(`refund of transaction ${transactionId}`, () =>
        paddle().adjustments.create({
          action: "refund",
          transactionId,
          reason: mark,
          ...(given.length === 0 && part === undefined ? whole : rest),
        }),
      );
    },
    listMoney: (since) =>
      ask(`money since ${since}`, async () => {
        const facts: VersionedFact[] = [];
        for await (const transaction of paddle().transactions.list({
          "updatedAt[GTE]": new Date(since).toISOString(),
          status: ["completed"],
          include: ["adjustment"],
          perPage: 100,
        }))
          facts.push(...withAdjustments(transaction));
        return facts;
      }),
    listedPrices: (priceIds) =>
      ask("prices", async () => {
        const found = new Map<string, ListedPrice>();
        for await (const price of paddle().prices.list({ id: [...priceIds], perPage: 200 })) {
          const { billingCycle: cycle, trialPeriod: trial, unitPrice } = price;
          const days = { day: 1, week: 7, month: 30, year: 365 };
          found.set(price.id, {
            amount: Number(unitPrice.amount),
            currency: unitPrice.currencyCode,
            plan:
              cycle === null
                ? null
                : cycle.interval === "year"
                  ? `${cycle.frequency * 12}M`
                  : `${cycle.frequency}${cycle.interval.slice(0, 1).toUpperCase()}`,
            trialDays: trial === null ? 0 : trial.frequency * days[trial.interval],
          });
        }
        return found;
      }),
    verify: (rawBody, headers, now) => {
      const signature = headers["paddle-signature"];
      if (typeof signature !== "string" || !isPaddleSigned(rawBody, signature, options.webhookSecrets, now)) return null;
      const payload = rawBody.toString("utf8");
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), payload);
      return parsed.success ? { eventId: parsed.output.event_id, eventType: parsed.output.event_type, payload } : null;
    },
    factsOf: (payload) => {
      const event = v.parse(v.pipe(v.string(), v.parseJson(), eventSchema), payload);
      const [entity] = event.event_type.split(".");
      const fact =
        entity === "transaction"
          ? transactionFact(v.parse(transactionSchema, event.data), event.occurred_at)
          : entity === "subscription"
            ? subscriptionFact(v.parse(subscriptionSchema, event.data), event.occurred_at)
            : entity === "adjustment"
              ? adjustmentFact(v.parse(adjustmentSchema, event.data), event.occurred_at)
              : null;
      return fact === null ? [] : [fact];
    },
  };
}
