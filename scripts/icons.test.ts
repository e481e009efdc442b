import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { iconSheet, namedIcons } from "./icons.ts";

test("the icon file holds exactly the icons that are named", async () => {
  expect(await readFile("src/ui/icons.svg", "utf8")).toBe(await iconSheet(await namedIcons()));
});
