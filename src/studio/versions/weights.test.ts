import { describe, expect, it } from "vitest";
import { sharesInWords, sharesOf } from "./weights.ts";

describe("weights as shares", () => {
  it("omit versions without weight, and are sorted by version", () => {
    expect(sharesOf({ "89": 1, "76": 3, "83": 0 })).toEqual([
      { version: "76", share: 0.75 },
      { version: "89", share: 0.25 },
    ]);
  });
  it("are shown in whole percent", () => {
    expect(sharesInWords({ "76": 1, "83": 1, "89": 1 })).toBe("76 at 33%, 83 at 33%, 89 at 33%");
  });
});
