/** The time of a refused login does not reveal whether an address has an account. `test/long/loginTiming.test.ts` measures milliseconds. */
import { createTestApp, sampledDatabases } from "#test/app.ts";
import { long } from "#test/sampled.ts";
import { refusedLogins } from "#test/loginTiming.ts";
import { describe, expect, it, vi } from "vitest";
import { verify } from "./accounts/hashing.ts";

vi.mock(import("./accounts/hashing.ts"), { spy: true });

const tries = long ? 60 : 20;
/** Far more than chance explains with so few tries, and far less than one hash more or less would cause. */
const mostTimes = 1.5;

describe.each(sampledDatabases)("a refused login on %s", (database) => {
  it("verifies one password at today's cost, whether the address is known or not", async () => {
    const t = await createTestApp({ database });
    const person = await t.signUp();
    const costs = [];
    for (const email of [person.email, "nobody@example.com"]) {
      vi.mocked(verify).mockClear();
      await t.refusal("login", { body: { email, password: "not the password" } });
      costs.push(vi.mocked(verify).mock.calls.map(([stored]) => stored.split("$").slice(0, 4).join("$")));
    }
    expect(costs[0]).toHaveLength(1);
    expect(costs[1]).toEqual(costs[0]);
    await t.close();
  });

  it(`takes the same work for both, by the median of ${tries}`, async () => {
    const { known, unknown } = await refusedLogins(database, tries);
    expect(Math.max(known.cpuMs, unknown.cpuMs) / Math.min(known.cpuMs, unknown.cpuMs)).toBeLessThan(mostTimes);
  });
});
