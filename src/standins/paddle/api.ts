/** Paddle Billing's HTTP API: paths, bodies, envelopes and errors as the official SDK expects them. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as v from "valibot";
import type { Billing } from "./billing.ts";
import type { Health } from "./health.ts";
import { PaddleProblem } from "./problem.ts";

const createBody = v.object({
  items: v.array(v.object({ price_id: v.string(), quantity: v.number() })),
  discount_id: v.nullish(v.string()),
  custom_data: v.nullish(v.record(v.string(), v.unknown())),
  currency_code: v.nullish(v.string()),
});
const effectiveBody = v.object({ effective_from: v.nullish(v.string()) });
const statusBody = v.object({ status: v.literal("canceled") });
const refund = { action: v.literal("refund"), transaction_id: v.string(), reason: v.string() };
const partialItem = v.object({ item_id: v.string(), type: v.literal("partial"), amount: v.string() });
const adjustmentBody = v.variant("type", [
  v.object({ ...refund, type: v.literal("full") }),
  v.object({ ...refund, type: v.literal("partial"), items: v.array(partialItem) }),
]);
const scheduledBody = v.object({ scheduled_change: v.null() });
const portalBody = v.object({ subscription_ids: v.optional(v.array(v.string()), []) });
const idParams = v.object({ id: v.string() });
const listQuery = v.record(v.string(), v.string());

function one(data: object): object {
  return { data, meta: { request_id: randomUUID() } };
}

function page(all: readonly object[]): object {
  return {
    data: all,
    meta: { request_id: randomUUID(), pagination: { per_page: 200, next: "", has_more: false, estimated_total: all.length } },
  };
}

/** Answers an error in Paddle's format; rethrows unknown errors. */
export function answerProblem(error: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof PaddleProblem) && !(error instanceof v.ValiError)) throw error;
  const status = error instanceof PaddleProblem ? error.status : 400;
  const code = error instanceof PaddleProblem ? error.code : "bad_request";
  return reply.code(status).send({
    error: {
      type: status >= 500 ? "api_error" : "request_error",
      code,
      detail: error.message,
      documentation_url: `https://developer.paddle.com/errors/${code}`,
    },
    meta: { request_id: randomUUID() },
  });
}

/** The entities whose fields match the query. */
const matching = <T extends { readonly id: string }>(
  all: readonly T[],
  query: Readonly<Record<string, string>>,
  fields: readonly (keyof T & string)[],
): T[] =>
  all.filter((entity) =>
    fields.every((field) => {
      const wanted = query[field];
      return wanted === undefined || wanted.split(",").includes(String(entity[field]));
    }),
  );

function transactionRoutes(app: FastifyInstance, billing: Billing): void {
  app.post("/transactions", async (request, reply) => {
    const body = v.parse(createBody, request.body);
    const created = billing.createTransaction({
      items: body.items.map((item) => ({ priceId: item.price_id, quantity: item.quantity })),
      discountId: body.discount_id ?? null,
      customData: body.custom_data ?? null,
      currencyCode: body.currency_code ?? null,
      origin: "api",
    });
    return reply.code(201).send(one(created));
  });
  app.get("/transactions", async (request) => {
    const query = v.parse(listQuery, request.query);
    const after = query["created_at[GTE]"];
    const changedAfter = query["updated_at[GTE]"];
    const found = matching(billing.transactions(), query, ["id", "status", "subscription_id", "customer_id", "origin"]).filter(
      (transaction) =>
        (after === undefined || transaction.created_at >= after) && (changedAfter === undefined || transaction.updated_at >= changedAfter),
    );
    const isWhole = query["include"]?.split(",").includes("adjustment");
    return page(found.toReversed().map((transaction) => (isWhole ? billing.getTransaction(transaction.id) : transaction)));
  });
  app.get("/transactions/:id", async (request) => one(billing.getTransaction(v.parse(idParams, request.params).id)));
  app.patch("/transactions/:id", async (request) => {
    v.parse(statusBody, request.body);
    return one(billing.cancelTransaction(v.parse(idParams, request.params).id));
  });

  app.post("/adjustments", async (request, reply) => {
    const { transaction_id: id, action, reason, ...what } = v.parse(adjustmentBody, request.body);
    const wanted = what.type === "full" ? undefined : what.items.reduce((sum, { amount }) => sum + Number(amount), 0);
    return reply.code(201).send(one(billing.adjust(id, action, what.type, wanted, reason)));
  });
}

function catalogueRoutes(app: FastifyInstance, billing: Billing): void {
  app.get("/discounts", async (request) => {
    const query = v.parse(listQuery, request.query);
    const codes = query["code"]?.toUpperCase().split(",");
    return page(
      matching(billing.discounts(), query, ["id", "status"]).filter(
        ({ code }) => codes === undefined || codes.includes((code ?? "").toUpperCase()),
      ),
    );
  });
  app.get("/prices", async (request) =>
    page(matching(billing.prices(), v.parse(listQuery, request.query), ["id", "status", "product_id"])),
  );
  app.get("/prices/:id", async (request) => {
    const { id } = v.parse(idParams, request.params);
    const price = billing.prices().find((candidate) => candidate.id === id);
    if (price === undefined) throw new PaddleProblem(404, "not_found", `price ${id} does not exist`);
    return one(price);
  });
}

function subscriptionRoutes(app: FastifyInstance, billing: Billing): void {
  app.get("/subscriptions", async (request) =>
    page(matching(billing.subscriptions(), v.parse(listQuery, request.query), ["id", "status", "customer_id"])),
  );
  app.get("/subscriptions/:id", async (request) => one(billing.getSubscription(v.parse(idParams, request.params).id)));
  app.post("/subscriptions/:id/cancel", async (request) =>
    one(billing.cancel(v.parse(idParams, request.params).id, v.parse(effectiveBody, request.body ?? {}).effective_from === "immediately")),
  );
  app.post("/subscriptions/:id/pause", async (request) =>
    one(billing.pause(v.parse(idParams, request.params).id, v.parse(effectiveBody, request.body ?? {}).effective_from === "immediately")),
  );
  app.post("/subscriptions/:id/resume", async (request) => one(billing.resume(v.parse(idParams, request.params).id)));
  app.patch("/subscriptions/:id", async (request) => {
    v.parse(scheduledBody, request.body);
    return one(billing.keep(v.parse(idParams, request.params).id));
  });
  app.get("/subscriptions/:id/update-payment-method-transaction", async (request) =>
    one(billing.cardTransaction(v.parse(idParams, request.params).id)),
  );
  app.get("/customers/:id", async (request) => one(billing.getCustomer(v.parse(idParams, request.params).id)));
  app.post("/customers/:id/portal-sessions", async (request, reply) => {
    const { id } = v.parse(idParams, request.params);
    const owned = v
      .parse(portalBody, request.body ?? {})
      .subscription_ids.map((subscription) => billing.getSubscription(subscription))
      .filter((subscription) => subscription.customer_id === id);
    const [first] = owned;
    if (first === undefined) throw new PaddleProblem(404, "not_found", "no such subscription of this customer");
    // Paddle's links sign in the customer, with all their purchases.
    const signedIn = (url: string | null | undefined) => `${url ?? ""}&customer=${id}`;
    return reply.code(201).send(
      one({
        id: `cpls_${randomUUID()}`,
        customer_id: id,
        urls: {
          general: { overview: signedIn(first.management_urls?.update_payment_method) },
          subscriptions: owned.map((subscription) => ({
            id: subscription.id,
            cancel_subscription: signedIn(subscription.management_urls?.cancel),
            update_subscription_payment_method: signedIn(subscription.management_urls?.update_payment_method),
          })),
        },
        created_at: new Date().toISOString(),
      }),
    );
  });
}

/** Routes under `{prefix}/api`. */
export function apiRoutes(app: FastifyInstance, parts: Health & { readonly billing: Billing; readonly apiKey: string }): void {
  const { billing } = parts;
  app.setErrorHandler((error, _request, reply) => answerProblem(error, reply));
  app.addHook("onRequest", async (request, reply) => {
    if (parts.mode() === "slow") await parts.slow();
    // A gateway's answer, which is not JSON.
    if (parts.mode() === "broken") return reply.code(503).type("text/html").send("<html><body>Service Unavailable</body></html>");
    if (request.headers.authorization?.toLowerCase() !== `bearer ${parts.apiKey}`.toLowerCase())
      throw new PaddleProblem(403, "authentication_malformed", "the API key is wrong");
  });
  transactionRoutes(app, billing);
  catalogueRoutes(app, billing);
  subscriptionRoutes(app, billing);
}
