import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { films } from "./films.ts";

it("has every listed film in both formats, and no other film", () => {
  const files = Object.keys(films).flatMap((name) => [`${name}.mp4`, `${name}.webm`]);
  expect(readdirSync(new URL("clips", import.meta.url)).toSorted()).toEqual(files.toSorted());
});
