import { killPostgresUnderLoad } from "#test/killedPostgres.ts";
import { killedKinds, killWhileWriting } from "#test/killedWrites.ts";
import { sampled } from "#test/sampled.ts";
import { expect, it } from "vitest";

/** How many times a process is killed. The long tests kill 200 times in each kind of write, and PostgreSQL 64 times. */
const rounds = 2;

it.each(sampled(killedKinds, 1))(
  "nothing acknowledged is lost and nothing is half written when the server is killed in the middle of: %s",
  async (kind) => {
    const { acknowledged, lost } = await killWhileWriting(kind, rounds, Math.random);
    expect(lost).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(rounds);
  },
);

it("a PostgreSQL killed under load ends no process and loses no acknowledged write", async () => {
  const { acknowledged, faults, alive } = await killPostgresUnderLoad(rounds, Math.random);
  expect([faults, alive]).toEqual([[], true]);
  expect(acknowledged).toBeGreaterThan(rounds);
});
