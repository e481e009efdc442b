/** The payment form in its frame, and the buyer's page for changing the card: the same for Billing and Classic. */
import type { FastifyInstance } from "fastify";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { Billing } from "./billing.ts";
import { digitsOf } from "./billing/cards.ts";
import { runPortal } from "./browser/control.ts";
import { frameScript } from "./browser/frame.ts";
import { formCss, framePage, portalPage, type ProviderName } from "./page.ts";
import { localeOf, sendPage, sendScript } from "./replies.ts";
import { formTextsFor } from "./texts.ts";

const font = readFileSync(new URL(import.meta.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")));

const frameQuery = v.object({ locale: v.optional(v.string(), "en"), theme: v.optional(v.string(), "light") });
const manageQuery = v.object({ subscription: v.string(), locale: v.optional(v.string()) });
const cardBody = v.object({
  id: v.string(),
  provider: v.picklist(["billing", "classic"]),
  number: v.string(),
  expiry: v.string(),
  cvc: v.string(),
  name: v.string(),
});

/** @param base the path that the routes stand under */
export function formRoutes(site: FastifyInstance, base: string, provider: ProviderName, engine: Billing): void {
  site.get("/frame.js", async (_request, reply) => sendScript(reply, frameScript));
  site.get("/portal.js", async (_request, reply) => sendScript(reply, `(${runPortal})();`));
  site.get("/form.css", async (_request, reply) => reply.header("cache-control", "no-cache").type("text/css; charset=utf-8").send(formCss));
  site.get("/figtree.woff2", async (_request, reply) => reply.header("cache-control", "max-age=86400").type("font/woff2").send(font));
  site.get("/frame", async (request, reply) => {
    const { locale, theme } = v.parse(frameQuery, request.query);
    return sendPage(reply, framePage(locale, theme, base, formTextsFor(locale)));
  });
  site.get("/manage", async (request, reply) => {
    const { subscription: id, locale: wanted } = v.parse(manageQuery, request.query);
    const locale = localeOf(wanted, request.headers["accept-language"]);
    return sendPage(reply, portalPage(locale, base, formTextsFor(locale), engine.getSubscription(id), provider));
  });
  site.post("/portal/card", async (request, reply) => {
    const { id, number, ...card } = v.parse(cardBody, request.body);
    engine.replaceCard(id, { ...card, number: digitsOf(number) });
    return reply.send({});
  });
}
