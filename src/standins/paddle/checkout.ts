/** The API behind the provider's page and form: opening, paying, 3-D Secure. Not part of Paddle's public API. */
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import { answerProblem } from "./api.ts";
import type { Billing } from "./billing.ts";
import { periodEnd } from "./billing/periods.ts";
import { PaddleProblem } from "./problem.ts";

const openBody = v.object({
  transactionId: v.optional(v.string()),
  items: v.optional(v.array(v.object({ priceId: v.string(), quantity: v.optional(v.number(), 1) }))),
  discountId: v.nullish(v.string()),
  discountCode: v.nullish(v.string()),
  customData: v.nullish(v.record(v.string(), v.unknown())),
  customer: v.nullish(v.object({ email: v.optional(v.string()), address: v.nullish(v.object({ countryCode: v.optional(v.string()) })) })),
  settings: v.optional(v.object({ displayMode: v.optional(v.string()), theme: v.optional(v.string()) })),
});
const buyerBody = v.object({
  email: v.pipe(v.string(), v.trim(), v.email(), v.maxLength(320)),
  countryCode: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
});
const payBody = v.object({ number: v.string(), expiry: v.string(), cvc: v.string(), name: v.string() });
const challengeBody = v.object({ approved: v.boolean() });
const idParams = v.object({ id: v.string() });

/** A checkout's data in the format of events: snake_case, amounts in major units. */
function checkoutData(billing: Billing, transaction: ITransactionResponse): object {
  const digits = transaction.currency_code === "CLP" ? 1 : 100;
  const major = (amount: string | undefined | null) => Number(amount ?? "0") / digits;
  const totals = transaction.details?.totals;
  const buyer = billing.buyerOf(transaction);
  const [attempt] = transaction.payments;
  const card = attempt?.method_details?.card;
  const later = billing.recurringTotals(transaction);
  const recurring = { subtotal: major(later.subtotal), discount: major(later.discount), tax: major(later.tax), total: major(later.total) };
  return {
    id: transaction.id.replace("txn", "che"),
    transaction_id: transaction.id,
    status: transaction.status,
    custom_data: transaction.custom_data ?? null,
    currency_code: transaction.currency_code,
    customer: {
      id: buyer?.id ?? null,
      email: buyer?.email ?? null,
      business: null,
      address: buyer
        ? { id: buyer.addressId, country_code: buyer.countryCode, city: null, first_line: null, postal_code: null, region: null }
        : null,
    },
    items: transaction.items.map((item, index) => {
      const line = transaction.details?.line_items[index]?.totals;
      return {
        price_id: item.price?.id,
        price_name: item.price?.name ?? null,
        product: { id: item.price?.product_id, name: "Parlando", description: item.price?.description, image_url: null },
        quantity: item.quantity,
        billing_cycle: item.price?.billing_cycle ?? undefined,
        trial_period: item.price?.trial_period ?? undefined,
        totals: { subtotal: major(line?.subtotal), discount: major(line?.discount), tax: 0, total: major(line?.total) },
        recurring_totals: item.price?.billing_cycle ? recurring : undefined,
      };
    }),
    totals: {
      subtotal: major(totals?.subtotal),
      discount: major(totals?.discount),
      tax: 0,
      total: major(totals?.total),
      credit: 0,
      balance: major(totals?.balance),
    },
    recurring_totals: later.lines.length > 0 ? { ...recurring, credit: 0, balance: recurring.total } : undefined,
    payment: {
      method_details: {
        type: card ? "card" : "none",
        card: card ? { type: card.type, last4: card.last4, expiry_month: card.expiry_month, expiry_year: card.expiry_year } : null,
      },
    },
    discount: transaction.discount_id
      ? { id: transaction.discount_id, code: billing.discounts().find(({ id }) => id === transaction.discount_id)?.code ?? "" }
      : null,
    settings: { display_mode: "inline", theme: "light" },
    upsell: null,
  };
}

/** Routes under `{prefix}/checkout`. */
export function checkoutRoutes(app: FastifyInstance, billing: Billing): void {
  app.setErrorHandler((error, _request, reply) => answerProblem(error, reply));
  const idOf = (params: unknown) => v.parse(idParams, params).id;
  const dataOf = (id: string) => checkoutData(billing, billing.getTransaction(id));

  app.post("/open", async (request) => {
    const body = v.parse(openBody, request.body);
    const discount = body.discountCode ? billing.discountByCode(body.discountCode) : undefined;
    if (body.discountCode && discount === undefined)
      throw new PaddleProblem(400, "transaction_discount_not_found", "the discount code does not exist");
    const transaction =
      body.transactionId === undefined
        ? billing.createTransaction({
            items: body.items ?? [],
            discountId: discount?.id ?? body.discountId ?? null,
            customData: body.customData ?? null,
            origin: "web",
          })
        : billing.getTransaction(body.transactionId);
    if (!["draft", "ready"].includes(transaction.status))
      throw new PaddleProblem(400, "transaction_not_payable", `the transaction is ${transaction.status}`);
    const email = body.customer?.email;
    if (email !== undefined && email !== "")
      billing.setBuyer(transaction.id, v.parse(buyerBody, { email, countryCode: body.customer?.address?.countryCode ?? "MX" }));
    return dataOf(transaction.id);
  });
  app.get("/:id", async (request) => dataOf(idOf(request.params)));
  app.post("/:id/buyer", async (request) => {
    const id = idOf(request.params);
    billing.setBuyer(id, v.parse(buyerBody, request.body));
    return dataOf(id);
  });
  app.post("/:id/pay", async (request) => {
    const id = idOf(request.params);
    const result = billing.pay(id, v.parse(payBody, request.body));
    return { result, data: dataOf(id) };
  });
  app.post("/:id/challenge", async (request) => {
    const id = idOf(request.params);
    const result = billing.answerChallenge(id, v.parse(challengeBody, request.body).approved);
    return { result, data: dataOf(id) };
  });
  app.get("/prices/preview", async (request) => {
    const { ids } = v.parse(v.object({ ids: v.string() }), request.query);
    const prices = ids.split(",").map((id) => billing.prices().find((price) => price.id === id));
    return prices.map((price) => {
      if (price === undefined) throw new PaddleProblem(404, "not_found", "no such price");
      const now = new Date().toISOString();
      return { price, next: price.billing_cycle ? periodEnd(now, price.billing_cycle.interval, price.billing_cycle.frequency) : null };
    });
  });
}
