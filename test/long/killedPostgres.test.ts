/** PostgreSQL killed 64 times under load. `npm test` runs a sample. */
import { killPostgresUnderLoad } from "#test/killedPostgres.ts";
import { expect, it } from "vitest";

const rounds = 64;

it(`a PostgreSQL that is killed ${rounds} times under load ends no server process and loses no acknowledged write`, async () => {
  const { acknowledged, refused, faults, alive } = await killPostgresUnderLoad(rounds, Math.random);
  console.log(`${rounds} kills, ${acknowledged} writes answered, ${refused} refused`);
  expect(faults).toEqual([]);
  expect(alive).toBe(true);
  expect(acknowledged).toBeGreaterThan(rounds);
  expect(refused).toBeGreaterThan(0);
});
