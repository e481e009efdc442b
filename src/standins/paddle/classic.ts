/**
 * Paddle Classic with an engine of its own of the same kind as Paddle Billing's: its pay links, vendor API, checkout and signed alerts. Its ids are
 * numbers, its times have whole seconds, and all values in an alert are text.
 */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import type { FastifyInstance } from "fastify";
import { serialize } from "php-serialize";
import type { RecordFile } from "../records.ts";
import type { Health } from "./health.ts";
import { createBilling } from "./billing.ts";
import type { StandinDiscount, StandinPrice } from "./billing/prices.ts";
import { alertOf } from "./classic/alerts.ts";
import { classicApiRoutes } from "./classic/apiRoutes.ts";
import { customOf, type Desk, innerOf, manageUrl, openNumbers, type PayLink } from "./classic/desk.ts";
import { seconds } from "./classic/formats.ts";
import { type Delivery, startDeliveries } from "./deliveries.ts";
import { PaddleProblem } from "./problem.ts";

export interface ClassicOptions {
  /** Prices under Classic's numeric ids. */
  readonly prices: readonly StandinPrice[];
  readonly discounts: readonly StandinDiscount[];
  readonly vendorId: string;
  readonly authCode: string;
  readonly webhookUrl: () => string;
  /** The key that signs alerts, PEM; generated and stored if not given. */
  readonly keys?: { readonly publicKey: string; readonly privateKey: string };
}

/** `p_signature` over the fields, computed like Paddle's. */
export function alertSignature(fields: Readonly<Record<string, string>>, privateKey: string): string {
  const sorted = Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createSign("sha1").update(serialize(sorted)).sign(privateKey, "base64");
}

export type Classic = ReturnType<typeof createClassic>;

export interface ClassicParts extends ClassicOptions {
  readonly records: RecordFile;
  /** URL of the stand-in with Classic's prefix. */
  readonly base: () => string;
  readonly now: () => number;
  readonly onFailure: (message: string) => void;
  readonly answerMs: number | undefined;
  readonly challengesAll: () => boolean;
  readonly taxOnTop: (() => number) | undefined;
}

/** The keys that sign alerts: those stored before, those given, or new ones. */
function keysOf(records: RecordFile, given: ClassicOptions["keys"]) {
  const keys = records.kind<{ readonly publicKey: string; readonly privateKey: string }>("key");
  const known = keys.get("alerts");
  if (known !== undefined) return known;
  const pair =
    given ??
    generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
  keys.put("alerts", pair);
  return pair;
}

/** A buyer opens a pay link. Each time starts a new checkout. */
function openLink({ links, billing, nextNumber }: Desk, url: string): ITransactionResponse {
  const link = links.get(url.split("?")[0]?.split("/").at(-1) ?? "");
  if (link === undefined) throw new PaddleProblem(404, "not_found", "there is no such pay link");
  const discount = link.couponCode === null ? undefined : billing.discountByCode(link.couponCode);
  return billing.createTransaction({
    items: [{ priceId: link.productId, quantity: 1 }],
    discountId: discount?.id ?? null,
    customData: { passthrough: link.passthrough, checkout: `${nextNumber()}-chre${randomBytes(8).toString("hex")}` },
    origin: "web",
  });
}

export function createClassic(parts: ClassicParts) {
  const records: RecordFile = { ...parts.records, kind: (name) => parts.records.kind(`classic ${name}`) };
  const { publicKey, privateKey } = keysOf(records, parts.keys);
  const deliveries = startDeliveries({
    pending: records.kind<Delivery>("webhook"),
    url: parts.webhookUrl,
    headers: () => ({ "content-type": "application/x-www-form-urlencoded" }),
    onFailure: parts.onFailure,
    answerMs: parts.answerMs,
  });

  function send(type: string, at: string, data: object): void {
    const alert = alertOf(desk, type, at, data);
    if (alert === null) return;
    const filled = Object.fromEntries(Object.entries(alert.fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
    const all = {
      alert_name: alert.name,
      alert_id: String(desk.nextNumber()),
      event_time: seconds(at),
      marketing_consent: "0",
      ...filled,
    };
    const body = new URLSearchParams({ ...all, p_signature: alertSignature(all, privateKey) }).toString();
    deliveries.send({ id: all.alert_id, name: alert.name, body });
  }

  const billing = createBilling({
    records,
    prices: parts.prices,
    discounts: parts.discounts,
    checkoutUrl: () => `${parts.base()}/pay`,
    manageUrl: (id) => manageUrl(parts, id),
    now: parts.now,
    challengesAll: parts.challengesAll,
    taxOnTop: parts.taxOnTop,
    send: ({ event_type: type, occurred_at: at, data }) => {
      if (typeof data === "object" && data !== null) send(type, at, data);
    },
  });
  const desk: Desk = { billing, prices: parts.prices, base: parts.base, links: records.kind<PayLink>("link"), ...openNumbers(records) };

  return {
    billing,
    deliveries,
    publicKey,
    open: (url: string) => openLink(desk, url),
    linkOf: (id: string) => desk.links.get(id),
    checkoutIdOf: (transactionId: string) => customOf(billing.getTransaction(transactionId)).checkout,
    subscriptionOf: (number: string) => innerOf(desk, number),
    apiRoutes: (app: FastifyInstance, service: Health) => classicApiRoutes(app, desk, parts, service),
  };
}
