/** Whether an address has an account cannot be told from how long a refused login takes. */
import { createTestApp, databases } from "#test/app.ts";
import { expect, it } from "vitest";

const tries = 1_000;
const mostMs = 2;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

it.each(databases)(
  `known and unknown addresses differ by at most ${mostMs} ms in the median of ${tries} refused logins on %s`,
  { timeout: 600_000 },
  async (database) => {
    const wide = { points: 1_000_000, seconds: 60 };
    const t = await createTestApp({ database, settings: { limits: { "login.network": wide, "login.email": wide } } });
    const person = await t.signUp();
    const times = { known: new Array<number>(), unknown: new Array<number>() };
    const refused = async (email: string) => {
      const started = performance.now();
      const response = await t.send("login", { body: { email, password: "not the password" } });
      expect(response.statusCode).toBe(401);
      return performance.now() - started;
    };
    // In turns, so that the machine's mood counts for both.
    for (let n = 0; n < tries; n++) {
      times.known.push(await refused(person.email));
      times.unknown.push(await refused(`nobody${n}@example.com`));
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    console.log(`${database}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ratio ${(known / unknown).toFixed(3)}`);
    expect(Math.abs(known - unknown)).toBeLessThanOrEqual(mostMs);
    await t.close();
  },
);
