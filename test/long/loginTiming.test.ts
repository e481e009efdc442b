/** Whether an address has an account cannot be told from how long a refused login takes. */
import { databases } from "#test/app.ts";
import { refusedLogins } from "#test/loginTiming.ts";
import { expect, it } from "vitest";

const tries = 1_000;
const mostMs = 2;

it.each(databases)(
  `known and unknown addresses differ by at most ${mostMs} ms in the median of ${tries} refused logins on %s`,
  async (database) => {
    const { known, unknown } = await refusedLogins(database, tries);
    console.log(`${database}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ratio ${(known / unknown).toFixed(3)}`);
    expect(Math.abs(known - unknown)).toBeLessThanOrEqual(mostMs);
  },
);
