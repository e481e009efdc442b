import { killedKinds, killWhileWriting } from "#test/killedWrites.ts";
import { expect, it } from "vitest";

/** How often the server is killed; all 200 rounds of each kind are a long test's. */
const rounds = 2;

it.each(killedKinds)(
  "nothing acknowledged is lost and nothing is half written when the server is killed in the middle of: %s",
  async (kind) => {
    const { acknowledged, lost } = await killWhileWriting(kind, rounds, Math.random);
    expect(lost).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(rounds);
  },
);
