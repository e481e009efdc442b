/** Whether an address has an account cannot be told from how long a refused login takes; `test/long/loginTiming.test.ts` has the milliseconds. */
import { createTestApp, databases } from "#test/app.ts";
import { long } from "#test/sampled.ts";
import { refusedLogins } from "#test/loginTiming.ts";
import { describe, expect, it, vi } from "vitest";
import { verify } from "./accounts/hashing.ts";

vi.mock(import("./accounts/hashing.ts"), { spy: true });

const tries = long ? 60 : 20;
/** Far more than so few tries differ by, far less than one hash too many or too few leaves. */
const mostTimes = 1.5;

describe.each(databases)("a refused login on %s", (database) => {
  it("verifies one password of today's cost, whether the address is known or not", async () => {
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

  it(`takes as much work for both, by the median of ${tries}`, async () => {
    const { known, unknown } = await refusedLogins(database, tries);
    expect(Math.max(known.cpuMs, unknown.cpuMs) / Math.min(known.cpuMs, unknown.cpuMs)).toBeLessThan(mostTimes);
  });
});
