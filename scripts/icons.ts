/** `npm run icons`: rebuilds `src/ui/icons.svg` and `first-icons.svg` from `iconNames.ts`, `firstIcons.ts` and Lucide's outlines. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as v from "valibot";
import { firstIcons } from "../src/ui/firstIcons.ts";

const root = join(import.meta.dirname, "..");
const outline = v.object({ __iconData: v.object({ node: v.array(v.tuple([v.string(), v.record(v.string(), v.string())])) }) });

/** Reads the names from the source: the component needs a bundler to run. */
export async function namedIcons(): Promise<readonly string[]> {
  const list = /iconNames = \[([^\]]*)\]/.exec(await readFile(join(root, "src/ui/iconNames.ts"), "utf8"))?.[1] ?? "";
  return [...list.matchAll(/"([a-z0-9-]+)"/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

export async function iconSheet(names: readonly string[]): Promise<string> {
  const symbols = names.map(async (name) => {
    const shapes = (await outlineOf(name)).__iconData.node.map(
      ([tag, attributes]) =>
        `<${tag}${Object.entries(attributes)
          .filter(([name]) => name !== "key")
          .map(([name, value]) => ` ${name}="${value}"`)
          .join("")}/>`,
    );
    return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.join("")}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${(await Promise.all(symbols)).join("\n")}\n</svg>\n`;
}

/** The outline of an icon. In Lucide, an icon's old name is an alias of its new one. */
async function outlineOf(name: string): Promise<v.InferOutput<typeof outline>> {
  const file = join(dirname(fileURLToPath(import.meta.resolve("lucide-react"))), `../esm/icons/${name}.mjs`);
  const successor = /export \{[^}]*\} from '\.\/([a-z0-9-]+)\.mjs'/.exec(await readFile(file, "utf8"))?.[1];
  if (successor !== undefined) return outlineOf(successor);
  const module: unknown = await import(pathToFileURL(file).href);
  return v.parse(outline, module);
}

if (import.meta.main) {
  await writeFile(join(root, "src/ui/icons.svg"), await iconSheet(await namedIcons()));
  await writeFile(join(root, "src/ui/first-icons.svg"), await iconSheet(firstIcons));
}
