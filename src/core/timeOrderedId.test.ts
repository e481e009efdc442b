import fc from "fast-check";
import * as v from "valibot";
import { expect, it } from "vitest";
import { timeOfId, timeOrderedId } from "./timeOrderedId.ts";

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uuid({ version: 4 });

it("has the form of the example in RFC 9562", () => {
  expect(timeOrderedId(0x017f22e279b0, "00000000-0000-4cc3-98c4-dc0c0c07398f")).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

it("sorts by its time, and keeps the random bits after it", () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, one, other) => {
      const [first, second] = [timeOrderedId(a, one), timeOrderedId(b, other)];
      expect(v.is(v.pipe(v.string(), v.uuid()), first)).toBe(true);
      if (a !== b) expect(first < second).toBe(a < b);
      expect([timeOfId(first), timeOfId(one)]).toEqual([a, null]);
      expect(first.slice(15)).toBe(one.slice(15));
    }),
  );
});
