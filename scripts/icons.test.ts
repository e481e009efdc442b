import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { firstIcons } from "../src/ui/firstIcons.ts";
import { iconSheet, namedIcons } from "./icons.ts";

test("the file of first icons holds the icons of all versions' first questions", async () => {
  expect(await readFile("src/ui/first-icons.svg", "utf8")).toBe(await iconSheet(firstIcons));
  for (const version of versions) {
    const { initialQuestion, embeddedQuestion, questions } = questionnaireFor(version, "es-419");
    const first = questions.filter(({ id }) => id === initialQuestion || id === embeddedQuestion);
    const named = [...JSON.stringify(first).matchAll(/"icon":"([a-z0-9-]+)"/g)].map(([, name]) => name);
    expect(firstIcons).toEqual(expect.arrayContaining(named));
  }
});

test("the icon file holds exactly the named icons", async () => {
  expect(await readFile("src/ui/icons.svg", "utf8")).toBe(await iconSheet(await namedIcons()));
});
