/** The time of a refused login does not reveal whether an address has an account. Measured in CPU time, which does not depend on other load. */
import { databases } from "#test/app.ts";
import { refusedLogins } from "#test/loginTiming.ts";
import { expect, it } from "vitest";

const tries = 1_000;
const mostMs = 2;

it.each(databases)(
  `known and unknown addresses differ by at most ${mostMs} ms of CPU in the median of ${tries} refused logins on %s`,
  async (database) => {
    const { known, unknown } = await refusedLogins(database, tries);
    for (const [of, one, other] of [
      ["answer", known.answerMs, unknown.answerMs],
      ["CPU", known.cpuMs, unknown.cpuMs],
    ] as const)
      console.log(`${database}, ${of}: known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms, ratio ${(one / other).toFixed(3)}`);
    expect(Math.abs(known.cpuMs - unknown.cpuMs)).toBeLessThanOrEqual(mostMs);
  },
);
