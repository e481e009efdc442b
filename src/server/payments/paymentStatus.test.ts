import { createTestApp } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import { completedOrder } from "#test/orders.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
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

it("a poll reads one order, by an index, however many the account has opened", async () => {
  const watched = watchStatements();
  const t = await createTestApp({
    database: "sqlite",
    parts: ({ store, world, settings }) => ({
      payments: createPayments({
        store,
        world,
        providers: [],
        log: { warn: () => undefined, error: () => undefined },
        secretKeys: settings.secretKeys,
        onMail: () => undefined,
      }),
    }),
  });
  const { token, user } = await t.logIn(await t.signUp());
  const orders = Array.from({ length: 300 }, (_, n) => ({
    ...completedOrder(`order ${n}`, user.uuid, t.world.now() + n),
    status: n === 299 ? "failed" : "cancelled",
  }));
  await t.store.write((queries) => queries.insertInto("orders").values(orders).execute());
  watched.clear();
  expect(await t.call("paymentStatus", { token, body: { paymentId: "", paymentProvider: "paddlebilling" } })).toMatchObject({
    status: "failed",
  });
  const reading = watched.seen.filter(({ sql: text }) => /^select \* from .orders./i.test(text));
  expect(reading.map(({ rows }) => rows)).toEqual([1]);
  const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${reading[0]?.sql}`)}`.execute(t.store.read);
  expect(plan.rows.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("USING INDEX orders_by_account"));
  await t.close();
});
