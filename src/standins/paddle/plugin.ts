/**
 * Paddle Billing as a stand-in, for development, tests and demonstrations: its API, its form, its webhooks. Everything it
 * serves lives under one prefix of the site; production never imports it.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { type ApiMode, apiRoutes } from "./api.ts";
import { type Billing, createBilling, type StandinDiscount, type StandinPrice } from "./billing.ts";
import { installPaddle } from "./browser/paddle.ts";
import { runFrame } from "./browser/frame.ts";
import { runHosted } from "./browser/hosted.ts";
import { checkoutRoutes } from "./checkout.ts";
import { type Deliveries, type Delivery, startDeliveries } from "./deliveries.ts";
import { formCss, framePage, hostedPage } from "./page.ts";
import { openRecords } from "../records.ts";
import { formTextsFor } from "./texts.ts";

const font = readFileSync(new URL(import.meta.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")));

export const paddlePrefix = "/standins/paddle";

export interface PaddleStandinOptions {
  readonly prices: readonly StandinPrice[];
  readonly discounts: readonly StandinDiscount[];
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** Asked at each delivery: a port may be known only after listening. */
  readonly webhookUrl: () => string;
  /** Where the site is, without a trailing slash; for links to the hosted page. */
  readonly publicUrl: () => string;
  /** A path of the site where the hosted page leads to after paying. */
  readonly returnPath: string;
  /** A file of its own, or `:memory:`. */
  readonly dataFile: string;
  readonly now: () => number;
  readonly onFailure?: (message: string) => void;
}

export interface PaddleStandin {
  /** Register with the site's server; serves everything under `paddlePrefix`. */
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  readonly billing: Billing;
  readonly deliveries: Deliveries;
  readonly setMode: (mode: ApiMode) => void;
  readonly close: () => Promise<void>;
}

const frameQuery = v.object({ locale: v.optional(v.string(), "en"), theme: v.optional(v.string(), "light") });
const control = v.object({
  id: v.optional(v.string(), ""),
  mode: v.optional(v.picklist(["ok", "slow", "broken"])),
  type: v.optional(v.picklist(["full", "partial"]), "full"),
});

export function createPaddleStandin(options: PaddleStandinOptions): PaddleStandin {
  const records = openRecords(options.dataFile);
  const deliveries = startDeliveries({
    pending: records.kind<Delivery>("delivery"),
    url: options.webhookUrl,
    secret: options.webhookSecret,
    now: options.now,
    onFailure: options.onFailure ?? (() => undefined),
  });
  const billing = createBilling({
    records,
    prices: options.prices,
    discounts: options.discounts,
    checkoutUrl: (id) => `${options.publicUrl()}${paddlePrefix}/pay?_ptxn=${id}`,
    manageUrl: (id) => `${options.publicUrl()}${paddlePrefix}/manage?subscription=${id}`,
    now: options.now,
    send: deliveries.send,
  });
  let mode: ApiMode = "ok";
  let slowEnds = Promise.withResolvers<void>();
  const setMode = (next: ApiMode) => {
    mode = next;
    slowEnds.resolve();
    slowEnds = Promise.withResolvers();
  };

  const actions: Readonly<Record<string, (input: v.InferOutput<typeof control>) => object>> = {
    mode: (input) => {
      setMode(input.mode ?? "ok");
      return { mode };
    },
    renew: ({ id }) => billing.renew(id),
    recover: ({ id }) => billing.recover(id),
    refund: ({ id, type }) => billing.adjust(id, "refund", type),
    chargeback: ({ id }) => billing.adjust(id, "chargeback", "full"),
    "chargeback-reverse": ({ id }) => billing.adjust(id, "chargeback_reverse", "full"),
  };

  /** The site's own policy forbids frames; these pages are framed by it and load nothing but their own files. */
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

  const plugin = async (app: FastifyInstance) => {
    await app.register(
      async (site) => {
        await site.register(
          async (api) => apiRoutes(api, { billing, apiKey: options.apiKey, mode: () => mode, slow: () => slowEnds.promise }),
          { prefix: "/api" },
        );
        await site.register(async (checkout) => checkoutRoutes(checkout, billing), { prefix: "/checkout" });
        site.get("/paddle.js", async (_request, reply) =>
          script(reply, `(${installPaddle})(new URL(".", document.currentScript.src).href.replace(/\\/$/, ""));`),
        );
        site.get("/frame.js", async (_request, reply) => script(reply, `(${runFrame})();`));
        site.get("/hosted.js", async (_request, reply) => script(reply, `(${runHosted})(${JSON.stringify(options.returnPath)});`));
        site.get("/form.css", async (_request, reply) =>
          reply.header("cache-control", "no-cache").type("text/css; charset=utf-8").send(formCss),
        );
        site.get("/figtree.woff2", async (_request, reply) => reply.header("cache-control", "max-age=86400").type("font/woff2").send(font));
        site.get("/frame", async (request, reply) => {
          const { locale, theme } = v.parse(frameQuery, request.query);
          return page(reply, framePage(locale, theme, paddlePrefix, formTextsFor(locale)));
        });
        site.get("/pay", async (request, reply) => {
          const locale = request.headers["accept-language"]?.slice(0, 2) ?? "en";
          return page(reply, hostedPage(locale, paddlePrefix, formTextsFor(locale)));
        });
        site.post("/control/:action", async (request, reply) => {
          const { action } = v.parse(v.object({ action: v.string() }), request.params);
          const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
          return run === undefined ? reply.code(404).send({}) : reply.send(run(v.parse(control, request.body ?? {})));
        });
      },
      { prefix: paddlePrefix },
    );
    // A server that closes does not wait for answers that would never come.
    app.addHook("preClose", async () => setMode("ok"));
  };

  return {
    plugin,
    billing,
    deliveries,
    setMode,
    close: async () => {
      setMode("ok");
      await deliveries.close();
      records.close();
    },
  };
}
