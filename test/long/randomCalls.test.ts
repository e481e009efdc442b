/** Every call with valid and invalid input. `npm test` runs a sample. */
import { databases } from "#test/app.ts";
import { randomCalls } from "#test/randomCalls.ts";
import { expect, it } from "vitest";

const perCall = 500;
const mostMs = 100;

it.each(databases)(
  `${perCall} cases of every call on %s get responses that match the contract, none with more than ${mostMs} ms of CPU`,
  async (database) => {
    const { wrong, taken, slowest } = await randomCalls(database, perCall, Date.now() % 2 ** 31);
    console.log(
      `${database}: slowest ${slowest.ms.toFixed(1)} ms (${slowest.call.slice(0, 80)}), past the check: ${[...taken].map(([key, n]) => `${key} ${n}`).join(", ")}`,
    );
    expect(wrong).toEqual([]);
    expect(slowest.ms).toBeLessThanOrEqual(mostMs);
  },
);
