import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("creates one value per key", () => {
  const asked: string[] = [];
  const of = memoize((key: string) => {
    asked.push(key);
    return { key };
  });
  const first = of("a");
  expect(first).toEqual({ key: "a" });
  expect(of("a")).toBe(first);
  expect(of("b")).toEqual({ key: "b" });
  expect(asked).toEqual(["a", "b"]);
});
