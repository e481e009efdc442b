/**
 * Stand-in for Paddle Billing in development, tests and demos: its API, form and webhooks. Everything is served under one prefix of the site;
 * production never imports it.
 */
import type { FastifyInstance } from "fastify";
import { answerProblem, apiRoutes } from "./api.ts";
import { type Billing, createBilling } from "./billing.ts";
import type { StandinDiscount, StandinPrice } from "./billing/prices.ts";
import { paddleScript } from "./browser/paddle.ts";
import { runHosted } from "./browser/hosted.ts";
import { type Classic, type ClassicOptions, createClassic } from "./classic.ts";
import { classicPages } from "./classic/pages.ts";
import { checkoutRoutes } from "./checkout.ts";
import { controlRoutes } from "./control.ts";
import { type Deliveries, type Delivery, signature, startDeliveries } from "./deliveries.ts";
import { formRoutes } from "./formRoutes.ts";
import { createModeSwitch, type ModeSwitch, type StandinMode } from "./health.ts";
import { hostedPage } from "./page.ts";
import { openRecords } from "../records.ts";
import { hostedLocaleOf, sendNoScript, sendPage, sendScript } from "./replies.ts";
import { formTextsFor } from "./texts.ts";

export const paddlePrefix = "/standins/paddle";
export const classicPrefix = `${paddlePrefix}/classic`;

export interface PaddleStandinOptions {
  readonly prices: readonly StandinPrice[];
  readonly discounts: readonly StandinDiscount[];
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** Called for each delivery: the port may be known only after listening. */
  readonly webhookUrl: () => string;
  /** The site's URL without a trailing slash, for links to the hosted page. */
  readonly publicUrl: () => string;
  /** The site's path that the hosted page leads to after payment. */
  readonly returnPath: string;
  /** A file of its own, or `:memory:`. */
  readonly dataFile: string;
  readonly now: () => number;
  readonly onFailure?: (message: string) => void;
  /** Overrides Paddle's time limit for a webhook's answer. */
  readonly answerMs?: number;
  /** Percent of tax on top of prices. */
  readonly taxOnTop?: () => number;
  /** Adds Paddle Classic. */
  readonly classic?: ClassicOptions;
}

export interface PaddleStandin {
  /** Register with the site's server; serves everything under `paddlePrefix`. */
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  readonly billing: Billing;
  readonly deliveries: Deliveries;
  /** Null unless its options are given. */
  readonly classic: Classic | null;
  readonly mode: () => StandinMode;
  readonly setMode: (mode: StandinMode) => void;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly billing: Billing;
  readonly classic: Classic | null;
  readonly modeSwitch: ModeSwitch;
}

function billingPages(site: FastifyInstance, options: PaddleStandinOptions, mode: ModeSwitch["mode"]): void {
  site.get("/paddle.js", async (_request, reply) => (mode() === "noscript" ? sendNoScript(reply) : sendScript(reply, paddleScript)));
  site.get("/hosted.js", async (_request, reply) => sendScript(reply, `(${runHosted})(${JSON.stringify(options.returnPath)});`));
  site.get("/pay", async (request, reply) => {
    const locale = hostedLocaleOf(request);
    return sendPage(reply, hostedPage(locale, paddlePrefix, formTextsFor(locale), ["paddle.js", "hosted.js"]));
  });
}

/** Everything that is served, on an instance under `paddlePrefix`. */
async function serve(site: FastifyInstance, options: PaddleStandinOptions, { billing, classic, modeSwitch }: Parts): Promise<void> {
  const { mode, health } = modeSwitch;
  site.setErrorHandler((error, _request, reply) => answerProblem(error, reply));
  await site.register(async (api) => apiRoutes(api, { billing, apiKey: options.apiKey, ...health }), { prefix: "/api" });
  await site.register(async (checkout) => checkoutRoutes(checkout, billing), { prefix: "/checkout" });
  formRoutes(site, paddlePrefix, "billing", billing);
  billingPages(site, options, mode);
  controlRoutes(site, paddlePrefix, modeSwitch, { billing, classic: classic?.billing ?? null });
  if (classic === null) return;
  await site.register(
    async (old) => {
      await old.register(async (api) => classic.apiRoutes(api, health), { prefix: "/api" });
      await old.register(async (checkout) => checkoutRoutes(checkout, classic.billing), { prefix: "/checkout" });
      formRoutes(old, classicPrefix, "classic", classic.billing);
      const { publicUrl, returnPath } = options;
      classicPages(old, { classic, prices: options.classic?.prices ?? [], base: classicPrefix, mode, publicUrl, returnPath });
    },
    { prefix: "/classic" },
  );
}

export function createPaddleStandin(options: PaddleStandinOptions): PaddleStandin {
  const records = openRecords(options.dataFile);
  const modeSwitch = createModeSwitch();
  const onFailure = options.onFailure ?? (() => undefined);
  const deliveries = startDeliveries({
    pending: records.kind<Delivery>("webhook"),
    url: options.webhookUrl,
    headers: (body) => ({
      "content-type": "application/json",
      "paddle-signature": signature(options.webhookSecret, body, Math.floor(options.now() / 1_000)),
    }),
    onFailure,
    answerMs: options.answerMs,
  });
  const shared = { records, now: options.now, challengesAll: () => modeSwitch.mode() === "3ds", taxOnTop: options.taxOnTop };
  const billing = createBilling({
    ...shared,
    prices: options.prices,
    discounts: options.discounts,
    checkoutUrl: (id) => `${options.publicUrl()}${paddlePrefix}/pay?_ptxn=${id}`,
    manageUrl: (id) => `${options.publicUrl()}${paddlePrefix}/manage?subscription=${id}`,
    send: (event) => deliveries.send({ id: event.event_id, name: event.event_type, body: JSON.stringify(event) }),
  });
  const classic =
    options.classic === undefined
      ? null
      : createClassic({
          ...options.classic,
          ...shared,
          base: () => `${options.publicUrl()}${classicPrefix}`,
          onFailure,
          answerMs: options.answerMs,
        });

  return {
    plugin: async (app) => {
      await app.register(async (site) => serve(site, options, { billing, classic, modeSwitch }), { prefix: paddlePrefix });
      // Closing the server does not wait for answers that would never come.
      app.addHook("preClose", async () => modeSwitch.setMode("ok"));
    },
    billing,
    deliveries,
    classic,
    mode: modeSwitch.mode,
    setMode: modeSwitch.setMode,
    close: async () => {
      modeSwitch.setMode("ok");
      await deliveries.close();
      await classic?.deliveries.close();
      records.close();
    },
  };
}
