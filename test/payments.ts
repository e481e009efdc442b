/** For tests: payments with the real SDK at the stand-in, which sends webhooks back. */
import { classicPrefix, createPaddleStandin, type PaddleStandin, paddlePrefix } from "#standins/paddle/plugin.ts";
import Fastify from "fastify";
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Store } from "#server/store/store.ts";
import type { PaymentProviderName } from "#core/products.ts";
import { classicStandinCatalogue, loadCatalogue, standinCatalogue, standinPriceId } from "#server/payments/catalogue.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import type { PaymentProvider } from "#server/payments/provider.ts";
import type { PaymentService } from "#server/payments/service.ts";
import { createTestStore, type DatabaseKind } from "./app.ts";
import { hangingTest, hangingWait } from "./patience.ts";

export interface PaymentBed {
  readonly payments: PaymentService;
  /** A second payment service on the same store, like another process. */
  readonly newProcess: () => PaymentService;
  readonly providers: readonly PaymentProvider[];
  readonly standin: PaddleStandin;
  readonly clock: { now: number };
  readonly problems: string[];
  /** Base URLs of the stand-ins' APIs. */
  readonly apis: { readonly billing: string; readonly classic: string };
  /** Number of requests to the APIs. */
  readonly asked: () => number;
  /** Bodies and signatures of the received webhooks. */
  readonly hooks: { readonly raw: Buffer; readonly signature: string }[];
  /** Bodies of Paddle Classic's alerts. */
  readonly alerts: Buffer[];
  /** While false, webhooks are refused, as if the server were down. */
  hooksArrive: boolean;
  /** Percent of tax that the provider adds to prices. */
  taxOnTop: number;
  readonly account: () => Promise<string>;
  /** Opens a checkout for a product. @returns its transaction's id */
  readonly open: (accountUuid: string, productId: string, couponCode?: string) => Promise<string>;
  /** Pays with a card. Resolves when all of its webhooks are applied. */
  readonly pay: (transactionId: string, card?: string) => Promise<string>;
  /** Opens and pays a product at either provider. @returns the stand-in's engine and its ids */
  readonly buy: (
    accountUuid: string,
    productId: string,
    options?: { readonly card?: string; readonly couponCode?: string; readonly timeZone?: string },
  ) => Promise<{
    readonly status: string;
    readonly engine: PaddleStandin["billing"];
    readonly transactionId: string;
    readonly paymentId: string;
    readonly hostedUrl: string | null;
    readonly subscriptionId: string;
  }>;
  readonly settled: () => Promise<void>;
  /** Whole days from now to each entitlement's end. */
  readonly entitlements: (accountUuid: string) => Promise<{ readonly status: string; readonly days: number | null }[]>;
  /** The status of a payment, by default of the account's latest. */
  readonly status: (accountUuid: string, paymentId?: string) => Promise<string>;
  /** Resets everything to the state before the first webhook. Orders stay. */
  readonly forget: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const goodCard = "4242 4242 4242 4242";
export const webhookSecret = "pdl_ntfset_test";
export const dayMs = 86_400_000;

/** Timeout of requests to the provider: short when a test has made the stand-in slow, otherwise practically none. */
export const providerPatience = (standin: Pick<PaddleStandin, "mode">) => (standin.mode() === "slow" ? 200 : hangingWait);

/** Generated once, because it takes longer than most tests. */
const alertKeys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

const toldByWebhooks = [
  "entitlements",
  "money_entries",
  "plan_moments",
  "provider_facts",
  "provider_events",
  "payment_duties",
  "payment_mismatches",
  "payment_verdicts",
  "mail_outbox",
] as const;

/** For a `describe`: one store for all tests, and per test empty tables and a new test bed. */
export function paymentBeds(database: DatabaseKind): { readonly bed: PaymentBed; readonly store: Store } {
  let store: Store;
  let bed: PaymentBed;
  beforeAll(async () => {
    store = await createTestStore(database);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    bed = await paymentBed(store);
  });
  afterEach(async () => {
    await bed.close();
    await store.write(async (queries) => {
      for (const table of [...toldByWebhooks, "orders", "audit", "accounts"] as const) await queries.deleteFrom(table).execute();
    });
  });
  return {
    get bed() {
      return bed;
    },
    get store() {
      return store;
    },
  };
}

/**
 * @param store migrated; it stays open
 * @param receive receives the webhooks instead of the bed's own payment service
 */
export async function paymentBed(store: Store, receive?: PaymentService["receive"]): Promise<PaymentBed> {
  const clock = { now: Date.UTC(2026, 10, 20, 12) };
  const problems: string[] = [];
  const hooks: PaymentBed["hooks"] = [];
  // Keeps idle connections open. A client could reuse one at the moment at which the server closes it, and its call would fail.
  const app = Fastify({ keepAliveTimeout: hangingTest });
  let origin = "";
  let asked = 0;
  app.addHook("onRequest", async ({ url }) => void (asked += url.includes("/api/") ? 1 : 0));
  const standin = createPaddleStandin({
    ...standinCatalogue,
    apiKey: "standin",
    webhookSecret,
    webhookUrl: () => `${origin}/hook`,
    publicUrl: () => origin,
    returnPath: "/",
    dataFile: ":memory:",
    answerMs: hangingWait,
    now: () => clock.now,
    taxOnTop: () => bed.taxOnTop,
    classic: {
      ...classicStandinCatalogue,
      vendorId: "1",
      authCode: "standin",
      webhookUrl: () => `${origin}/classic-hook`,
      keys: alertKeys,
    },
  });
  let lastFailure: unknown;
  const note = (details: object, message: string) => {
    problems.push(message);
    lastFailure = "err" in details ? details.err : details;
  };
  const providers = [
    createPaddleBilling({
      apiKey: "standin",
      environment: () => `${origin}${paddlePrefix}/api`,
      webhookSecrets: [webhookSecret],
      timeoutMs: () => providerPatience(standin),
    }),
    createPaddleClassic({
      vendorId: "1",
      authCode: "standin",
      publicKey: () => standin.classic?.publicKey ?? "",
      environment: () => `${origin}${classicPrefix}/api`,
      now: () => clock.now,
      timeoutMs: () => providerPatience(standin),
    }),
  ];
  const newProcess = () =>
    createPayments({
      store,
      world: { now: () => clock.now, uuid: randomUUID, randomBytes, wait: sleep },
      providers,
      log: { warn: note, error: note },
      secretKeys: ["a-key-for-tests-that-is-long-enough"],
      onMail: () => undefined,
    });
  const payments = newProcess();
  const take = receive ?? payments.receive;
  await app.register(standin.plugin);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post("/hook", async (request, reply) => {
      if (!bed.hooksArrive || !Buffer.isBuffer(request.body)) return reply.code(503).send();
      hooks.push({ raw: request.body, signature: String(request.headers["paddle-signature"]) });
      return reply.code((await take("paddlebilling", request.body, request.headers)) ? 200 : 401).send();
    });
    scope.post("/classic-hook", async (request, reply) => {
      if (!bed.hooksArrive || !Buffer.isBuffer(request.body)) return reply.code(503).send();
      bed.alerts.push(request.body);
      return reply.code((await take("paddle", request.body, request.headers)) ? 200 : 401).send();
    });
  });
  origin = await app.listen({ port: 0, host: "127.0.0.1" });
  await loadCatalogue(store, standinPriceId, clock.now);

  const bed: PaymentBed = {
    payments,
    newProcess,
    providers,
    standin,
    clock,
    problems,
    apis: { billing: `${origin}${paddlePrefix}/api`, classic: `${origin}${classicPrefix}/api` },
    asked: () => asked,
    hooks,
    alerts: [],
    hooksArrive: true,
    taxOnTop: 0,
    account: async () => {
      const uuid = randomUUID();
      const now = clock.now;
      await store.write((queries) =>
        queries
          .insertInto("accounts")
          .values({
            uuid,
            email: `${uuid}@ejemplo.mx`,
            email_confirmed_at: null,
            password_hash: null,
            firstname: "Lucía",
            locale: "es-419",
            questionnaire_version: "76",
            app_version: "v5.7.8",
            marketing_consent: null,
            created_at: now,
            updated_at: now,
          })
          .execute(),
      );
      return uuid;
    },
    open: async (accountUuid, productId, couponCode) => {
      const result = await payments.open({ accountUuid, productId, couponCode, mayCreate: async () => null });
      if (result.kind !== "open") throw new Error(result.kind, { cause: lastFailure });
      return result.checkout.transactionId ?? result.checkout.paymentId;
    },
    pay: async (transactionId, card = goodCard) => {
      standin.billing.setBuyer(transactionId, { email: "lucia@ejemplo.mx", countryCode: "MX" });
      const { status } = standin.billing.pay(transactionId, { number: card, expiry: "12/40", cvc: "123", name: "Lucía Ramos" });
      await bed.settled();
      return status;
    },
    buy: async (accountUuid, productId, { card = goodCard, couponCode, timeZone } = {}) => {
      const result = await payments.open({ accountUuid, productId, couponCode, timeZone, mayCreate: async () => null });
      if (result.kind !== "open") throw new Error(result.kind, { cause: lastFailure });
      const { transactionId, hostedUrl, paymentId } = result.checkout;
      const provider: PaymentProviderName = productId.endsWith("-classic") ? "paddle" : "paddlebilling";
      const engine = provider === "paddle" ? standin.classic?.billing : standin.billing;
      const inner = provider === "paddle" ? standin.classic?.open(hostedUrl ?? "").id : transactionId;
      if (engine === undefined || inner == null) throw new Error("nothing to pay");
      engine.setBuyer(inner, { email: "lucia@ejemplo.mx", countryCode: "MX" });
      const { status } = engine.pay(inner, { number: card, expiry: "12/40", cvc: "123", name: "Lucía Ramos" });
      await bed.settled();
      return {
        status,
        engine,
        transactionId: inner,
        paymentId,
        hostedUrl,
        subscriptionId: engine.getTransaction(inner).subscription_id ?? "",
      };
    },
    settled: async () => {
      await standin.deliveries.settled();
      await standin.classic?.deliveries.settled();
      await payments.settled();
      // Waits for the webhooks that the service's own requests cause.
      await standin.deliveries.settled();
      await standin.classic?.deliveries.settled();
      await payments.settled();
    },
    entitlements: async (account) =>
      (await payments.entitlementsOf(account)).map(({ status, end }) => ({
        status,
        days: end === null ? null : Math.round((end - clock.now) / dayMs),
      })),
    status: async (account, id = "") => (await payments.statusOf(account, id)).status,
    forget: () =>
      store.write(async (queries) => {
        for (const table of toldByWebhooks) await queries.deleteFrom(table).execute();
        await queries.updateTable("orders").set({ status: "pending", subscription_id: null }).execute();
        // Paddle Billing's transaction existed before the payment.
        await queries.updateTable("orders").set({ transaction_id: null }).where("payment_provider", "=", "paddle").execute();
      }),
    close: async () => {
      // Otherwise webhooks in flight would be applied while the rows are deleted.
      await bed.settled();
      await standin.close();
      await app.close();
      await payments.stop();
    },
  };
  return bed;
}
