/** A server killed 200 times in the middle of each kind of write; a sample runs with every `npm test`. */
import { killedKinds, killWhileWriting } from "#test/killedWrites.ts";
import { expect, it } from "vitest";

const rounds = 200;

it.each(killedKinds)(`nothing acknowledged is lost in ${rounds} kills in the middle of: %s, and nothing is half written`, async (kind) => {
  const { acknowledged, cutOff, lost } = await killWhileWriting(kind, rounds, Math.random);
  console.log(`${kind}: ${rounds} kills, ${acknowledged} writes answered, ${cutOff} cut off`);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(rounds);
  expect(cutOff).toBeGreaterThan(rounds);
});
