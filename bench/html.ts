/** `npm run bench:html`: checks every page of every locale with the Nu HTML checker, which needs Java. Fails on an error. */
import { locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, isPageRoute, routeNames } from "#core/routes.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { startBuiltSite } from "./runningSite.ts";

const jar = join(createRequire(import.meta.url).resolve("vnu-jar/package.json"), "../build/dist/vnu.jar");
const params: AnyParams = { version: "76", question: "2" };
const messagesSchema = v.object({
  messages: v.array(
    v.object({ type: v.string(), url: v.optional(v.string(), ""), message: v.string(), extract: v.optional(v.string(), "") }),
  ),
});

const folder = mkdtempSync(join(tmpdir(), "parlando-html-"));
const site = await startBuiltSite(4392);
let pages = 0;
try {
  for (const route of routeNames.filter(isAddressed).filter((name) => isPageRoute(name) && !name.startsWith("dev/"))) {
    for (const locale of locales) {
      const path = buildPath<AddressedRoute>(route, locale, params);
      writeFileSync(join(folder, `${path.replaceAll("/", "_")}.html`), await (await fetch(site.url + path)).text());
      pages += 1;
    }
  }
} finally {
  await site.stop();
}
const { stderr, error } = spawnSync("java", ["-jar", jar, "--format", "json", "--skip-non-html", folder], {
  encoding: "utf8",
  maxBuffer: 100_000_000,
});
rmSync(folder, { recursive: true });
if (error !== undefined) {
  console.log(`The checker needs Java: ${error.message}`);
  process.exit(1);
}
const { messages } = v.parse(v.pipe(v.string(), v.parseJson(), messagesSchema), stderr);
const errors = messages.filter(({ type }) => type === "error");
const kinds = Map.groupBy(errors, ({ message }) => message);
for (const [message, same] of kinds)
  console.log(`${same.length} × ${message}\n    ${same[0]?.url}\n    ${same[0]?.extract.replaceAll("\n", " ")}`);
console.log(`${pages} pages, ${errors.length} errors`);
process.exit(errors.length === 0 ? 0 : 1);
