/** What must happen once does happen once with four processes, one of which is killed. test/long tries more points at which it is killed. */
import { databases } from "#test/app.ts";
import { processes, runFleet } from "#test/fleet.ts";
import { sampled } from "#test/sampled.ts";
import { expect, it } from "vitest";

/**
 * The process is killed after these numbers of awaits. They cover its background jobs' first runs, the requests of visitors and the provider, and the time after
 * those requests.
 */
const points = [150, 20, 60, 250, 400];

it.runIf(databases.includes("postgres")).each(sampled(points, 1))(
  `each mail, conversion, refund, alarm, release, day that is counted and row that is removed happens once with ${processes} processes, one killed at its await %d`,
  async (killAt) => {
    expect(await runFleet(killAt)).toEqual([]);
  },
);
