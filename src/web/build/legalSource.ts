/** The site's legal documents. Runs in Node, in builds and in development. */
import { compileLegal } from "#content/legal/compile.ts";
import type { PackagesByLicence } from "#content/legal/facts.ts";
import { isLocale } from "#core/locales.ts";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";

const projectSchema = v.pipe(v.string(), v.parseJson(), v.object({ dependencies: v.record(v.string(), v.string()) }));
const packageSchema = v.pipe(v.string(), v.parseJson(), v.object({ license: v.string() }));

/** The shipped packages by licence, from their own `package.json`. */
export async function packagesByLicence(root: string): Promise<PackagesByLicence> {
  const { dependencies } = v.parse(projectSchema, await readFile(join(root, "package.json"), "utf8"));
  const licences = await Promise.all(
    Object.keys(dependencies).map(async (name) => ({
      name,
      licence: v.parse(packageSchema, await readFile(join(root, "node_modules", name, "package.json"), "utf8")).license,
    })),
  );
  const byLicence = Map.groupBy(licences, ({ licence }) => licence);
  return new Map([...byLicence].toSorted().map(([licence, packages]) => [licence, packages.map(({ name }) => name).toSorted()]));
}

/** The HTML of `<locale>/<type>.md` without its heading. */
export async function legalHtml(file: string, root: string): Promise<string> {
  const locale = basename(dirname(file));
  if (!isLocale(locale)) throw new Error(`${file} is not in a locale's folder`);
  return compileLegal(await readFile(file, "utf8"), locale, await packagesByLicence(root)).html;
}
