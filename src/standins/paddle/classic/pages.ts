/** Classic's script and the page of a pay link. */
import { formatsFor } from "#core/formats.ts";
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import type { StandinPrice } from "../billing/prices.ts";
import { classicScript } from "../browser/classic.ts";
import { runClassicHosted } from "../browser/classicHosted.ts";
import type { Classic } from "../classic.ts";
import type { ModeSwitch } from "../health.ts";
import { hostedPage } from "../page.ts";
import { hostedLocaleOf, sendNoScript, sendPage, sendScript } from "../replies.ts";
import { formTextsFor } from "../texts.ts";

const idParams = v.object({ id: v.string() });
const linkBody = v.object({ url: v.string(), email: v.nullish(v.string()) });

interface ClassicPageParts {
  readonly classic: Classic;
  readonly prices: readonly StandinPrice[];
  /** The path that the pages stand under. */
  readonly base: string;
  readonly mode: ModeSwitch["mode"];
  readonly publicUrl: () => string;
  readonly returnPath: string;
}

export function classicPages(site: FastifyInstance, { classic, prices, base, mode, publicUrl, returnPath }: ClassicPageParts): void {
  /** A return address within the site. */
  const wayBack = (wanted: string | null | undefined) =>
    wanted != null && URL.canParse(wanted) && new URL(wanted).origin === new URL(publicUrl()).origin ? wanted : returnPath;

  site.get("/paddle.js", async (_request, reply) => (mode() === "noscript" ? sendNoScript(reply) : sendScript(reply, classicScript)));
  site.post("/checkout-of-link", async (request, reply) => {
    const { url, email } = v.parse(linkBody, request.body);
    const transaction = classic.open(url);
    if (email) classic.billing.setBuyer(transaction.id, { email, countryCode: "MX" });
    return reply.send({ transactionId: transaction.id, checkoutId: classic.checkoutIdOf(transaction.id) });
  });
  site.get("/pay/:id", async (request, reply) => {
    const link = classic.linkOf(v.parse(idParams, request.params).id);
    const price = prices.find(({ id }) => id === link?.productId);
    if (link === undefined || price === undefined) return reply.code(404).type("text/plain").send("There is no such pay link.");
    const locale = hostedLocaleOf(request);
    const today = formatsFor("en-US").money(Number(classic.billing.dueToday(price.id, link.couponCode)), price.currency);
    const scripts = ["paddle.js", `pay/${link.id}/hosted.js`];
    return sendPage(reply, hostedPage(locale, base, formTextsFor(locale), scripts, { name: price.name, today }));
  });
  site.get("/pay/:id/hosted.js", async (request, reply) => {
    const link = classic.linkOf(v.parse(idParams, request.params).id);
    return sendScript(reply, `(${runClassicHosted})(${JSON.stringify(wayBack(link?.returnUrl))});`);
  });
}
