import { createTestApp } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import { expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { createPayments } from "./payments.ts";

it.each([
  ["one network", "payment-ask.network", ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"], 3],
  ["all networks together", "payment-ask.all", ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"], 2],
] as const)(
  "buyers who poll from %s cannot use up what the provider answers: it is asked up to a limit",
  async (_, limit, networks, asked) => {
    const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    const t = await createTestApp({
      database: "sqlite",
      settings: { proxyHops: 1, limits: { [limit]: { points: 2, seconds: 60 } } },
      parts: ({ store, world, settings }) => ({
        payments: createPayments({
          store,
          world,
          providers: [provider],
          log: { warn: () => undefined, error: () => undefined },
          secretKeys: settings.secretKeys,
          onMail: () => undefined,
        }),
      }),
    });
    await loadCatalogue(t.store, (id) => `price of ${id}`, t.world.now());
    const buyers = [];
    for (const from of networks) {
      const { token } = await t.logIn(await t.signUp());
      await t.call("createTransaction", { token, body: { pricingId: "onetime-6m-mxn" }, from });
      buyers.push({ token, from });
    }
    t.world.pass(11_000);
    for (const buyer of buyers)
      expect(await t.call("paymentStatus", { ...buyer, body: { paymentId: "", paymentProvider: "paddlebilling" } })).toMatchObject({
        status: "pending",
      });
    expect(provider.readOrder).toHaveBeenCalledTimes(asked);
    await t.close();
  },
);
