import { expect, test } from "vitest";
import { places } from "./screens.ts";

test("every screen of the rail has its own address and key", () => {
  expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
  expect(places.map(({ letter }) => letter)).toEqual([...new Set(places.map(({ letter }) => letter))]);
});
