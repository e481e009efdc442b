/** A server killed 200 times during each kind of write. `npm test` runs a sample. */
import { killedKinds, killWhileWriting } from "#test/killedWrites.ts";
import { expect, it } from "vitest";

const rounds = 200;

it.each(killedKinds)(`${rounds} kills during %s lose no acknowledged write and leave no partial one`, async (kind) => {
  const { acknowledged, cutOff, lost } = await killWhileWriting(kind, rounds, Math.random);
  console.log(`${kind}: ${rounds} kills, ${acknowledged} writes answered, ${cutOff} cut off`);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(rounds);
  expect(cutOff).toBeGreaterThan(rounds);
});
