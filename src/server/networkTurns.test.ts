/** Everybody shares the connections of PostgreSQL: one network's calls must leave some to others. */
import type { Endpoint } from "#core/api.ts";
import type { Store } from "#server/store/store.ts";
import { createTestApp, createTestStore, databases } from "#test/app.ts";
import { describe, expect, it } from "vitest";

describe.skipIf(!databases.includes("postgres"))("calls that come at the same time, on postgres", () => {
  /**
   * The first calls in the store wait there until `expected` are.
   * @returns the most calls that were in the store at a time
   */
  async function mostInStore(networks: readonly string[], expected: number): Promise<number> {
    const store = await createTestStore("postgres");
    let [inside, most, isCounting] = [0, 0, false];
    const all = Promise.withResolvers<void>();
    const write: Store["write"] = async (work) => {
      if (!isCounting) return store.write(work);
      most = Math.max(most, ++inside);
      if (inside === expected) all.resolve();
      try {
        await all.promise;
        return await store.write(work);
      } finally {
        inside--;
      }
    };
    const t = await createTestApp({ database: "postgres", store: { ...store, write } });
    const { token } = await t.logIn(await t.signUp());
    isCounting = true;
    const call: Endpoint = "updateName";
    const answers = await Promise.all(networks.map((from, n) => t.send(call, { token, body: { firstname: `Ana ${n}` }, from })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await t.close();
    return most;
  }
  const times = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));

  it("from one network use at most sixteen connections of twenty; the others of that network wait", async () => {
    expect(
      await mostInStore(
        times(40, () => "203.0.113.1"),
        16,
      ),
    ).toBe(16);
    // The networks of a /48 have one owner.
    expect(
      await mostInStore(
        times(40, (n) => `2001:db8:0:${n}::1`),
        16,
      ),
    ).toBe(16);
  });

  it("from other networks do not wait for them", async () => {
    expect(await mostInStore([...times(40, () => "203.0.113.1"), "203.0.113.2", "203.0.113.3"], 18)).toBe(18);
  });
});
