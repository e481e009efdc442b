/** Classic's HTTP APIs: envelopes and errors of the vendors host, and an order as the checkout host shows it. */
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import type { Health } from "../health.ts";
import { PaddleProblem } from "../problem.ts";
import { customOf, type Desk, orderIdOf } from "./desk.ts";
import { major } from "./formats.ts";
import { paidOf, transactionList } from "./orders.ts";
import { vendorCalls } from "./vendorCalls.ts";

/** `/api/2.0/…` of the vendors host and `/api/1.0/order` of the checkout host. */
export function classicApiRoutes(
  app: FastifyInstance,
  desk: Desk,
  vendor: { readonly vendorId: string; readonly authCode: string },
  service: Health,
): void {
  app.addHook("onRequest", async (_request, reply) => {
    if (service.mode() === "slow") await service.slow();
    if (service.mode() === "broken") return reply.code(503).type("text/html").send("<html><body>Service Unavailable</body></html>");
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post("/2.0/*", async (request, reply) => {
    const path = v.parse(v.object({ "*": v.string() }), request.params)["*"];
    const fields = v.parse(v.record(v.string(), v.string()), request.body ?? {});
    try {
      if (fields["vendor_id"] !== vendor.vendorId || fields["vendor_auth_code"] !== vendor.authCode)
        throw new PaddleProblem(200, "107", "You don't have permission to access this resource");
      const call = Object.hasOwn(vendorCalls, path) ? vendorCalls[path] : undefined;
      return await reply.send({ success: true, response: call === undefined ? transactionList(desk, path, fields) : call(desk, fields) });
    } catch (error) {
      if (!(error instanceof PaddleProblem)) throw error;
      return reply.send({ success: false, error: { code: Number(error.code) || 100, message: error.message } });
    }
  });
  app.get("/1.0/order", async (request) => {
    const { checkout_id: wanted } = v.parse(v.object({ checkout_id: v.string() }), request.query);
    const found = paidOf(desk).find((transaction) => customOf(transaction).checkout === wanted);
    return found === undefined
      ? { state: "processing", checkout: { checkout_id: wanted } }
      : {
          state: "processed",
          checkout: { checkout_id: wanted },
          order: {
            order_id: orderIdOf(desk, found),
            total: major(found.details?.totals?.grand_total, found.currency_code),
            total_tax: major(found.details?.totals?.tax, found.currency_code),
            currency: found.currency_code,
          },
        };
  });
}
