/**
 * Stand-in for Paddle Billing in development, tests and demos: its API, form and webhooks. Everything is served under one prefix of the site;
 * production never imports it.
 */
import { formatsFor } from "#core/formats.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { answerProblem, apiRoutes, type Health } from "./api.ts";
import { type Billing, createBilling } from "./billing.ts";
import { digitsOf, testCards } from "./billing/cards.ts";
import { periodEnd } from "./billing/periods.ts";
import type { StandinDiscount, StandinPrice } from "./billing/prices.ts";
import { installClassic } from "./browser/classic.ts";
import { runClassicHosted } from "./browser/classicHosted.ts";
import { runControl, runPortal } from "./browser/control.ts";
import { installPaddle } from "./browser/paddle.ts";
import { addPageColours } from "./browser/pageColours.ts";
import { runFrame } from "./browser/frame.ts";
import { runHosted } from "./browser/hosted.ts";
import { type Classic, type ClassicOptions, createClassic } from "./classic.ts";
import { checkoutRoutes } from "./checkout.ts";
import { type Deliveries, type Delivery, signature, startDeliveries } from "./deliveries.ts";
import { controlPage, formCss, framePage, hostedPage, portalPage } from "./page.ts";
import { openRecords } from "../records.ts";
import { formTextsFor } from "./texts.ts";

const font = readFileSync(new URL(import.meta.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")));

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

const frameQuery = v.object({ locale: v.optional(v.string(), "en"), theme: v.optional(v.string(), "light") });
const hostedQuery = v.object({ locale: v.optional(v.string()), return: v.optional(v.string()) });
const manageQuery = v.object({ subscription: v.string(), locale: v.optional(v.string()) });
const linkBody = v.object({ url: v.string(), email: v.nullish(v.string()) });
const cardBody = v.object({
  id: v.string(),
  provider: v.picklist(["billing", "classic"]),
  number: v.string(),
  expiry: v.string(),
  cvc: v.string(),
  name: v.string(),
});

const modes = {
  ok: "answers at once",
  slow: "answers after 30 seconds, or when this is switched",
  broken: "answers 503",
  "3ds": "the bank asks for a confirmation of every card",
  noscript: "its script does not come",
} as const;
export type StandinMode = keyof typeof modes;
const isMode = (value: string): value is StandinMode => Object.hasOwn(modes, value);
const slowMs = 30_000;

const control = v.object({
  id: v.optional(v.string(), ""),
  provider: v.optional(v.picklist(["billing", "classic"]), "billing"),
  mode: v.optional(
    v.pipe(
      v.string(),
      v.check(isMode),
      v.custom<StandinMode>((value) => typeof value === "string" && isMode(value)),
    ),
  ),
  type: v.optional(v.picklist(["full", "partial"]), "full"),
});

export function createPaddleStandin(options: PaddleStandinOptions): PaddleStandin {
  const records = openRecords(options.dataFile);
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
  let mode: StandinMode = "ok";
  let slowEnds = Promise.withResolvers<void>();
  const setMode = (next: StandinMode) => {
    mode = next;
    slowEnds.resolve();
    slowEnds = Promise.withResolvers();
  };
  const service: Health = {
    mode: () => (mode === "slow" || mode === "broken" ? mode : "ok"),
    slow: async () => {
      const { promise } = slowEnds;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, slowMs).unref()));
      await Promise.race([promise, late]);
      clearTimeout(timer);
    },
  };
  const challengesAll = () => mode === "3ds";
  const billing = createBilling({
    records,
    prices: options.prices,
    discounts: options.discounts,
    checkoutUrl: (id) => `${options.publicUrl()}${paddlePrefix}/pay?_ptxn=${id}`,
    manageUrl: (id) => `${options.publicUrl()}${paddlePrefix}/manage?subscription=${id}`,
    now: options.now,
    send: (event) => deliveries.send({ id: event.event_id, name: event.event_type, body: JSON.stringify(event) }),
    challengesAll,
    taxOnTop: options.taxOnTop,
  });
  const classic =
    options.classic === undefined
      ? null
      : createClassic({
          ...options.classic,
          records,
          base: () => `${options.publicUrl()}${classicPrefix}`,
          now: options.now,
          onFailure,
          answerMs: options.answerMs,
          challengesAll,
          taxOnTop: options.taxOnTop,
        });
  const engineOf = (provider: "billing" | "classic"): Billing => (provider === "classic" && classic !== null ? classic.billing : billing);

  const actions: Readonly<Record<string, (engine: Billing, input: v.InferOutput<typeof control>) => unknown>> = {
    mode: (_engine, input) => {
      setMode(input.mode ?? "ok");
      return { mode };
    },
    renew: (engine, { id }) => engine.renew(id),
    /** A year's renewals, or fewer if the subscription ends. */
    year: (engine, { id }) => {
      const start = engine.getSubscription(id);
      const until = periodEnd(start.scheduled_change?.effective_at ?? start.next_billed_at ?? new Date().toISOString(), "month", 12);
      for (;;) {
        const subscription = engine.getSubscription(id);
        const due = subscription.scheduled_change?.effective_at ?? subscription.next_billed_at;
        if (due == null || due >= until || subscription.status === "past_due") return subscription;
        engine.renew(id);
      }
    },
    recover: (engine, { id }) => engine.recover(id),
    pause: (engine, { id }) => engine.pause(id, true),
    resume: (engine, { id }) => engine.resume(id),
    cancel: (engine, { id }) => engine.cancel(id, false),
    refund: (engine, { id, type }) => engine.adjust(id, "refund", type),
    chargeback: (engine, { id }) => engine.adjust(id, "chargeback", "full"),
    "chargeback-reverse": (engine, { id }) => engine.adjust(id, "chargeback_reverse", "full"),
  };

  /** The site's own policy forbids frames. The site frames these pages, and they load only their own files. */
  function page(reply: FastifyReply, html: string): FastifyReply {
    return reply
      .header(
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'",
      )
      .header("x-frame-options", "SAMEORIGIN")
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(html);
  }
  const script = (reply: FastifyReply, source: string) =>
    reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(source);
  const missing = (reply: FastifyReply) => reply.code(503).type("text/html").send("<html><body>Service Unavailable</body></html>");
  const localeOf = (wanted: string | undefined, header: string | undefined) => wanted ?? header?.slice(0, 2) ?? "en";
  /** A return address within the site. */
  const wayBack = (wanted: string | null | undefined) =>
    wanted != null && URL.canParse(wanted) && new URL(wanted).origin === new URL(options.publicUrl()).origin ? wanted : options.returnPath;
  const ownScript = 'new URL(".", document.currentScript.src).href.replace(/\\/$/, "")';

  /** Parts shared by the pages of Billing and Classic. */
  function files(site: FastifyInstance, base: string, provider: "billing" | "classic"): void {
    site.get("/frame.js", async (_request, reply) => script(reply, `(${runFrame})();`));
    site.get("/portal.js", async (_request, reply) => script(reply, `(${runPortal})();`));
    site.get("/form.css", async (_request, reply) =>
      reply.header("cache-control", "no-cache").type("text/css; charset=utf-8").send(formCss),
    );
    site.get("/figtree.woff2", async (_request, reply) => reply.header("cache-control", "max-age=86400").type("font/woff2").send(font));
    site.get("/frame", async (request, reply) => {
      const { locale, theme } = v.parse(frameQuery, request.query);
      return page(reply, framePage(locale, theme, base, formTextsFor(locale)));
    });
    site.get("/manage", async (request, reply) => {
      const { subscription: id, locale: wanted } = v.parse(manageQuery, request.query);
      const locale = localeOf(wanted, request.headers["accept-language"]);
      return page(reply, portalPage(locale, base, formTextsFor(locale), engineOf(provider).getSubscription(id), provider));
    });
    site.post("/portal/card", async (request, reply) => {
      const { id, number, ...card } = v.parse(cardBody, request.body);
      engineOf(provider).replaceCard(id, { ...card, number: digitsOf(number) });
      return reply.send({});
    });
  }

  const money = (minor: string | undefined, currency: string) => formatsFor("en-US").money(Number(minor ?? "0"), currency);

  const plugin = async (app: FastifyInstance) => {
    await app.register(
      async (site) => {
        site.setErrorHandler((error, _request, reply) => answerProblem(error, reply));
        await site.register(async (api) => apiRoutes(api, { billing, apiKey: options.apiKey, ...service }), { prefix: "/api" });
        await site.register(async (checkout) => checkoutRoutes(checkout, billing), { prefix: "/checkout" });
        files(site, paddlePrefix, "billing");
        site.get("/paddle.js", async (_request, reply) =>
          mode === "noscript" ? missing(reply) : script(reply, `(${installPaddle})(${ownScript}, ${addPageColours});`),
        );
        site.get("/hosted.js", async (_request, reply) => script(reply, `(${runHosted})(${JSON.stringify(options.returnPath)});`));
        site.get("/pay", async (request, reply) => {
          const locale = localeOf(v.parse(hostedQuery, request.query).locale?.slice(0, 2), request.headers["accept-language"]);
          return page(reply, hostedPage(locale, paddlePrefix, formTextsFor(locale), ["paddle.js", "hosted.js"]));
        });
        if (classic !== null)
          await site.register(
            async (old) => {
              await old.register(async (api) => classic.apiRoutes(api, service), { prefix: "/api" });
              await old.register(async (checkout) => checkoutRoutes(checkout, classic.billing), { prefix: "/checkout" });
              files(old, classicPrefix, "classic");
              old.get("/paddle.js", async (_request, reply) =>
                mode === "noscript" ? missing(reply) : script(reply, `(${installClassic})(${ownScript}, ${addPageColours});`),
              );
              old.post("/checkout-of-link", async (request, reply) => {
                const { url, email } = v.parse(linkBody, request.body);
                const transaction = classic.open(url);
                if (email) classic.billing.setBuyer(transaction.id, { email, countryCode: "MX" });
                return reply.send({ transactionId: transaction.id, checkoutId: classic.checkoutIdOf(transaction.id) });
              });
              old.get("/pay/:id", async (request, reply) => {
                const link = classic.linkOf(v.parse(v.object({ id: v.string() }), request.params).id);
                const price = options.classic?.prices.find(({ id }) => id === link?.productId);
                if (link === undefined || price === undefined) return reply.code(404).type("text/plain").send("There is no such pay link.");
                const locale = localeOf(v.parse(hostedQuery, request.query).locale?.slice(0, 2), request.headers["accept-language"]);
                const today = money(classic.billing.dueToday(price.id, link.couponCode), price.currency);
                return page(
                  reply,
                  hostedPage(locale, classicPrefix, formTextsFor(locale), ["paddle.js", `pay/${link.id}/hosted.js`], {
                    name: price.name,
                    today,
                  }),
                );
              });
              old.get("/pay/:id/hosted.js", async (request, reply) => {
                const link = classic.linkOf(v.parse(v.object({ id: v.string() }), request.params).id);
                return script(reply, `(${runClassicHosted})(${JSON.stringify(wayBack(link?.returnUrl))});`);
              });
            },
            { prefix: "/classic" },
          );

        site.get("/control.js", async (_request, reply) => script(reply, `(${runControl})();`));
        site.get("/", async (_request, reply) => {
          const both = [["billing", billing] as const, ...(classic === null ? [] : [["classic", classic.billing] as const])];
          return page(
            reply,
            controlPage(paddlePrefix, {
              mode,
              modes: Object.entries(modes),
              cards: testCards,
              subscriptions: both.flatMap(([provider, engine]) =>
                engine.subscriptions().map((one) => ({
                  provider,
                  id: one.id,
                  name: one.items[0]?.price.name ?? "",
                  status: one.status,
                  next: one.next_billed_at ?? null,
                  planned: one.scheduled_change
                    ? `${one.scheduled_change.action} on ${one.scheduled_change.effective_at.slice(0, 10)}`
                    : null,
                })),
              ),
              transactions: both.flatMap(([provider, engine]) =>
                engine
                  .transactions()
                  .slice(-50)
                  .toReversed()
                  .map((one) => ({
                    provider,
                    id: one.id,
                    status: one.status,
                    total: money(one.details?.totals?.grand_total, one.currency_code),
                  })),
              ),
            }),
          );
        });
        site.post("/control/:action", async (request, reply) => {
          const { action } = v.parse(v.object({ action: v.string() }), request.params);
          const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
          if (run === undefined) return reply.code(404).send({});
          const input = v.parse(control, request.body ?? {});
          return reply.send(run(engineOf(input.provider), input));
        });
      },
      { prefix: paddlePrefix },
    );
    // Closing the server does not wait for answers that would never come.
    app.addHook("preClose", async () => setMode("ok"));
  };

  return {
    plugin,
    billing,
    deliveries,
    classic,
    mode: () => mode,
    setMode,
    close: async () => {
      setMode("ok");
      await deliveries.close();
      await classic?.deliveries.close();
      records.close();
    },
  };
}
