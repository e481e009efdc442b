import { describe, expect, it } from "vitest";
import { differenceOf, shareOf } from "./proportions.ts";

const rounded = ({ low, high }: { readonly low: number; readonly high: number }) => [low, high].map((bound) => Number(bound.toFixed(4)));

describe("intervals", () => {
  // Newcombe 1998a, table I, method 3.
  it.each([
    [{ part: 81, whole: 263 }, [0.2553, 0.3662]],
    [{ part: 15, whole: 148 }, [0.0624, 0.1605]],
    [{ part: 0, whole: 20 }, [0, 0.1611]],
    [{ part: 1, whole: 29 }, [0.0061, 0.1718]],
  ] as const)("of the share %o is the published one", (part, published) => expect(rounded(shareOf(part))).toEqual(published));

  // Newcombe 1998b, table II, method 10.
  it.each([
    [{ part: 56, whole: 70 }, { part: 48, whole: 80 }, [0.0524, 0.3339]],
    [{ part: 9, whole: 10 }, { part: 3, whole: 10 }, [0.1705, 0.809]],
    [{ part: 10, whole: 10 }, { part: 0, whole: 20 }, [0.6791, 1]],
  ] as const)("of the difference of %o and %o is the published one", (a, b, published) =>
    expect(rounded(differenceOf(a, b))).toEqual(published),
  );
});
