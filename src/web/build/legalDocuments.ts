import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

type Source = typeof import("./legalSource.ts");

/** A Vite plugin that turns a legal document's Markdown into a module with its HTML as the default export. */
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
        const { legalHtml }: { readonly legalHtml: Source["legalHtml"] } = await import(
          pathToFileURL(join(root, "src/web/build/legalSource.ts")).href
        );
        return `export default ${JSON.stringify(await legalHtml(id, root))};\n`;
      },
    },
  };
}
