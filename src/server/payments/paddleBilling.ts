/** Paddle Billing through its official SDK. We parse its webhooks ourselves. */
import {
  ApiError,
  type Environment,
  LogLevel,
  Paddle,
  type Transaction,
  type TransactionAdjustment,
  type TransactionDetails,
} from "@paddle/paddle-node-sdk";
import * as v from "valibot";
import { inOneSpelling } from "../store/spelling.ts";
import { eventIn, factsOf, known, withAdjustments } from "./paddleBillingFacts.ts";
import { isPaddleSigned } from "./paddleSignature.ts";
import {
  type CheckoutOrder,
  type ListedPrice,
  type OpenCheckout,
  type PaymentProvider,
  ProviderFailure,
  refundMark,
  type VersionedFact,
} from "./provider.ts";

export interface PaddleBillingOptions {
  readonly apiKey: string;
  /** `sandbox`, `production`, or the URL of a server with the same API (the stand-in's is known only once it listens). */
  readonly environment: string | (() => string);
  /** All currently valid secrets: two during a rotation. */
  readonly webhookSecrets: readonly string[];
  /** Time limit for an answer. Called for each request. */
  readonly timeoutMs?: () => number;
}

const defaultTimeoutMs = 10_000;
/** How many transactions are searched for one whose creation had no answer. */
const searchDepth = 200;

/** The SDK accepts any URL as its environment, which its types do not say (its version is pinned, and a test covers it). */
function isEnvironment(value: string): value is Environment {
  return value === "sandbox" || value === "production" || URL.canParse(value);
}

/** The API's client, and a function that runs a call with a time limit and turns errors into ProviderFailure. */
interface Calls {
  readonly paddle: () => Paddle;
  readonly ask: <T>(what: string, work: () => Promise<T>) => Promise<T>;
}

function createCalls(options: PaddleBillingOptions): Calls {
  let client: Paddle | null = null;
  function paddle(): Paddle {
    const environment = typeof options.environment === "string" ? options.environment : options.environment();
    if (!isEnvironment(environment)) throw new Error(`Paddle's environment is neither sandbox, production nor an address: ${environment}`);
    return (client ??= new Paddle(options.apiKey, { environment, logLevel: LogLevel.none }));
  }
  /** The SDK has no time limit, and throws a SyntaxError for a 5xx that is not JSON. */
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
  return { paddle, ask };
}

/** What is left of an amount after refunds. */
function minus(amount: string | undefined, given: readonly { readonly totals: { readonly total: string } | null }[]): number {
  return given.reduce((left, { totals }) => left - Number(totals?.total ?? 0), Number(amount ?? 0));
}

/** The refundable rest of each line of a transaction. */
const itemsLeft = ({ lineItems }: TransactionDetails, given: readonly TransactionAdjustment[]) =>
  lineItems.map(({ id: itemId, totals }) => ({
    itemId,
    left: minus(
      totals?.total,
      given.flatMap(({ items }) => items.filter((item) => item.itemId === itemId)),
    ),
  }));

/** Takes from each line until the wanted amount is reached. */
function upTo(wanted: number, items: ReturnType<typeof itemsLeft>) {
  let open = wanted;
  return items.flatMap(({ itemId, left }) => {
    const amount = Math.min(open, left);
    if (amount <= 0) return [];
    open -= amount;
    return [{ itemId, type: "partial" as const, amount: String(amount) }];
  });
}

const opened = (transaction: Transaction): OpenCheckout => ({
  transactionId: transaction.id,
  hostedUrl: transaction.checkout?.url ?? null,
});

function checkoutsBy({
  paddle,
  ask,
}: Calls): Pick<PaymentProvider, "createCheckout" | "findCheckout" | "hostedLink" | "cancelCheckout" | "readOrder"> {
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

  /** Paddle cancels no draft, whose buyer has not said yet who they are. */
  async function isUnpaid(id: string): Promise<boolean> {
    try {
      const { status } = await ask(`transaction ${id}`, () => paddle().transactions.get(id));
      return status === "draft" || status === "ready" || status === "canceled";
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === "refused") return false;
      throw error;
    }
  }

  return {
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
        // Newest first: whatever was created for the order is among the newest.
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
        if (error instanceof ProviderFailure && error.kind === "refused") return isUnpaid(id);
        throw error;
      }
    },
    readOrder: async ({ transactionId: id }) =>
      id === null
        ? []
        : ask(`transaction ${id}`, async () => withAdjustments(await paddle().transactions.get(id, { include: ["adjustment"] }))),
  };
}

function subscriptionsBy({
  paddle,
  ask,
}: Calls): Pick<PaymentProvider, "readSubscription" | "changeSubscription" | "endSubscription" | "cardPage"> {
  /** Null when Paddle refuses it, as for a key that may not read customers. */
  async function addressOf(customerId: string): Promise<string | null> {
    try {
      const { email } = await ask(`customer ${customerId}`, () => paddle().customers.get(customerId));
      return inOneSpelling(email.toLowerCase());
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === "refused") return null;
      throw error;
    }
  }

  return {
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
    cardPage: async (id, provenAddress) => {
      const { customerId } = await ask(`subscription ${id}`, () => paddle().subscriptions.get(id));
      // Its links sign in Paddle's customer, who sees all their purchases and may end them. Paddle takes whoever types an address into its form for
      // the customer with this address, so only the proven owner of the address gets them.
      if (provenAddress !== null && (await addressOf(customerId)) === provenAddress)
        return ask(`portal of subscription ${id}`, async () => {
          const { urls } = await paddle().customerPortalSessions.create(customerId, [id]);
          return (
            urls.subscriptions.find((subscription) => subscription.id === id)?.updateSubscriptionPaymentMethod ?? urls.general.overview
          );
        });
      const what = `checkout for the card of subscription ${id}`;
      const { checkout } = await ask(what, () => paddle().subscriptions.getPaymentMethodChangeTransaction(id));
      if (checkout?.url == null) throw new ProviderFailure("refused", `Paddle has no ${what}`);
      return checkout.url;
    },
  };
}

function moneyBy({ paddle, ask }: Calls): Pick<PaymentProvider, "refund" | "listMoney" | "listedPrices"> {
  return {
    refund: async (transactionId, reason, part) => {
      const { details, adjustments } = await ask(`transaction ${transactionId}`, () =>
        paddle().transactions.get(transactionId, { include: ["adjustment"] }),
      );
      if (details === null) return;
      const made = adjustments ?? [];
      const valid = made.filter(({ status }) => status !== "rejected");
      const given = valid.filter(({ action }) => action === "refund");
      const times = (wanted: string) => valid.filter(({ action }) => action === wanted).length;
      // The buyer's bank has taken back all of it.
      if (times("chargeback") > times("chargeback_reverse")) return;
      const left = minus(details.totals?.grandTotal, given);
      if (left <= 0) return;
      const mark = refundMark(reason, part?.id ?? null);
      // Paddle stores the reason, which contains our id, so an earlier request is recognised whatever its result. A request without an id
      // is recognised by its amount.
      const isKnown =
        part?.id == null ? given.some(({ totals }) => Number(totals?.total) === part?.amount) : given.some((one) => one.reason === mark);
      if (isKnown) return;
      if (part?.id != null && made.some((one) => one.reason === mark))
        throw new ProviderFailure("refused", `Paddle has rejected this refund of a part of transaction ${transactionId}`);
      if (part !== undefined && part.amount > left)
        throw new ProviderFailure("refused", `Only ${left} of transaction ${transactionId} is left to be given back`);
      // After a partial refund Paddle accepts no full one, only the rest of each line.
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
    listMoney: async (since) => {
      const facts: VersionedFact[] = [];
      const completed = paddle().transactions.list({
        "updatedAt[GTE]": new Date(since).toISOString(),
        status: ["completed"],
        include: ["adjustment"],
        perPage: 100,
      });
      // The time limit is for each page: a month of good sales has hundreds.
      while (completed.hasMore) {
        const page = await ask(`money since ${since}`, () => completed.next());
        facts.push(...page.flatMap(withAdjustments));
      }
      return facts;
    },
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
  };
}

export function createPaddleBilling(options: PaddleBillingOptions): PaymentProvider {
  const calls = createCalls(options);
  return {
    name: "paddlebilling",
    keepsCancelled: true,
    knowsParts: true,
    ...checkoutsBy(calls),
    ...subscriptionsBy(calls),
    ...moneyBy(calls),
    verify: (rawBody, headers, now) => {
      const signature = headers["paddle-signature"];
      if (typeof signature !== "string" || !isPaddleSigned(rawBody, signature, options.webhookSecrets, now)) return null;
      return eventIn(rawBody);
    },
    factsOf,
  };
}
