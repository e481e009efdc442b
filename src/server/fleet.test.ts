/** What must happen once happens once with four processes, one of which is killed; more points at which it is are test/long's. */
import { databases } from "#test/app.ts";
import { processes, runFleet } from "#test/fleet.ts";
import { sampled } from "#test/sampled.ts";
import { expect, it } from "vitest";

/** Awaits of a process: in the middle of its first rounds, of what visitors and the provider ask, and behind it. */
const points = [150, 20, 60, 250, 400];

it.runIf(databases.includes("postgres")).each(sampled(points, 1))(
  `each mail, conversion, refund, alarm, release, day that is counted and row that is removed happens once with ${processes} processes, one killed at its await %d`,
  async (killAt) => {
    expect(await runFleet(killAt)).toEqual([]);
  },
);
