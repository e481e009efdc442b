import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

type Source = typeof import("./legalSource.ts");

/** Makes a legal document's Markdown a module whose default export is its HTML. */
export function legalDocuments(): Plugin {
  let root = process.cwd();
  return {
    name: "parlando-legal",
    configResolved(config) {
      root = config.root;
    },
    load: {
      filter: { id: /\/content\/legal\/[^/]+\/[^/]+\.md$/ },
      async handler(id) {
        const { legalHtml }: { readonly legalHtml: Source["legalHtml"] } = await import(pathToFileURL(join(root, "src/web/build/legalSource.ts")).href);
        return `export default ${JSON.stringify(await legalHtml(id, root))};\n`;
      },
    },
  };
}
