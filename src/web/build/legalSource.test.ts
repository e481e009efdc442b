import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { expect, it } from "vitest";
import { legalHtml } from "./legalSource.ts";

it("the licenses page names every shipped package", async () => {
  const { dependencies } = v.parse(
    v.pipe(v.string(), v.parseJson(), v.object({ dependencies: v.record(v.string(), v.string()) })),
    await readFile("package.json", "utf8"),
  );
  const html = await legalHtml("src/content/legal/en-US/licenses.md", process.cwd());
  for (const name of Object.keys(dependencies)) expect(html).toContain(name);
  expect(html).toMatch(/<strong>MIT<\/strong>: .*\breact\b/);
});

it("a document outside the locales' folders is refused", async () => {
  await expect(legalHtml("src/content/legal/xx-XX/licenses.md", process.cwd())).rejects.toThrow(/not in a locale/);
});
