import { expect, test } from "vitest";
import { oncePer } from "./once.ts";

test("what is made for a key is made once, and another for another key", () => {
  const asked: string[] = [];
  const of = oncePer((key: string) => {
    asked.push(key);
    return { key };
  });
  const first = of("a");
  expect(first).toEqual({ key: "a" });
  expect(of("a")).toBe(first);
  expect(of("b")).toEqual({ key: "b" });
  expect(asked).toEqual(["a", "b"]);
});
