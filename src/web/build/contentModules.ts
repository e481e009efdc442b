import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin, ViteDevServer } from "vite";

const sourceFile = "src/web/build/contentSource.ts";
const pseudoFile = "src/web/build/pseudo.ts";
const knownFile = "src/content/questionnaires/knownTable.ts";
const routeFile = "src/core/routeTable.ts";
type Source = typeof import("./contentSource.ts");
type Pseudo = typeof import("./pseudo.ts");

/** The path prefix of contents on the development server. */
export const developmentPrefix = "/@content/";
/** The manifest of built contents: name → file name. Written beside Vite's manifest. */
export const contentManifest = ".vite/content.json";

/**
 * A Vite plugin that splits the contents into small modules, so that a page loads only what it shows: two per version and locale, and two
 * per locale for interface texts. A build writes them with hashed names; the development server creates them on request.
 */
export function contentModules(): Plugin {
  let root = process.cwd();
  let server: ViteDevServer | undefined;
  return {
    name: "parlando-content",
    configResolved(config) {
      root = config.root;
    },
    configureServer(development) {
      server = development;
      server.middlewares.use(async (request, response, next) => {
        const [path = "", query] = request.url?.split("?") ?? [];
        if (!path.startsWith(developmentPrefix)) return next();
        try {
          const source = await development.ssrLoadModule(`/${sourceFile}`);
          const contentTable: Source["contentTable"] = source["contentTable"];
          const moduleCode: Source["moduleCode"] = source["moduleCode"];
          const pseudo: Pseudo["pseudoContents"] | undefined = new URLSearchParams(query).has("pseudo")
            ? (await development.ssrLoadModule(`/${pseudoFile}`))["pseudoContents"]
            : undefined;
          const value = contentTable(pseudo).get(path.slice(developmentPrefix.length, -".js".length));
          if (value === undefined) return next();
          response.setHeader("content-type", "text/javascript");
          response.end(moduleCode(value()));
        } catch (error) {
          next(error);
        }
      });
    },
    load: {
      filter: { id: /\/src\/(?:content\/questionnaires\/knownTable|core\/routeTable)\.ts$/ },
      async handler(id) {
        if (this.environment.name !== "client") return null;
        if (id.endsWith(routeFile)) {
          const source: Source = await (server?.ssrLoadModule(`/${sourceFile}`) ?? import(pathToFileURL(join(root, sourceFile)).href));
          return source.routeTableCode();
        }
        const known: typeof import("#content/questionnaires/knownTable.ts") = await (server?.ssrLoadModule(`/${knownFile}`) ??
          import(pathToFileURL(join(root, knownFile)).href));
        return `export default ${JSON.stringify(known.default)};`;
      },
    },
    hotUpdate({ file }) {
      // Texts and questionnaires are not in the browser's module graph, so a change reloads the page.
      if (this.environment.name !== "client" || !file.includes("/src/content/")) return;
      for (const module of this.environment.moduleGraph.getModulesByFile(join(root, knownFile)) ?? [])
        this.environment.moduleGraph.invalidateModule(module);
      this.environment.hot.send({ type: "full-reload" });
    },
    async generateBundle() {
      if (this.environment.name !== "client") return;
      const source: Source = await import(pathToFileURL(join(root, sourceFile)).href);
      const references = [...source.contentTable()].map(([name, value]) => ({
        name,
        reference: this.emitFile({ type: "asset", name: `${name}.js`, source: source.moduleCode(value()) }),
      }));
      const files = Object.fromEntries(references.map(({ name, reference }) => [name, `/${this.getFileName(reference)}`]));
      this.emitFile({ type: "asset", fileName: contentManifest, source: JSON.stringify(files) });
    },
  };
}
