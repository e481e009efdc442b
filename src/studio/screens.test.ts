import { expect, test } from "vitest";
import { places } from "./screens.ts";

test("no two screens of the rail share an address or the letter that opens them", () => {
  expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
  expect(places.map(({ letter }) => letter)).toEqual([...new Set(places.map(({ letter }) => letter))]);
});
