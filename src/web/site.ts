/** The site for the server: built files in production, Vite's server in development. */
import { shippedRelease } from "#content/questionnaires/bundleHash.ts";
import { isVersion } from "#content/questionnaires/index.ts";
import type { Locale } from "#core/locales.ts";
import type { RenderMail } from "#core/mail.ts";
import type { Site } from "#core/page.ts";
import type { PageRoute } from "#core/routes.ts";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import type { Assets } from "./assets.ts";
import { readStyleSheet } from "./criticalStyle.ts";
import { otherBlocksSource } from "./laterContents.ts";
import { type ClientConfig, defaultClientConfig } from "./clientConfig.ts";
import { type AppLinks, noAppLinks } from "./seo/appLinks.ts";

type EntryServer = typeof import("./entry-server.tsx");
type Pseudo = typeof import("./build/pseudo.ts");

export interface BuiltSite extends Site {
  /** Renders a mail's html and text. */
  readonly renderMail: RenderMail;
  /** Handles Vite's own requests (development only). */
  readonly middleware?: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  readonly close: () => Promise<void>;
}

export interface SiteOptions {
  readonly mode: "production" | "development";
  /** Configuration for the browser. The public address comes with each request. */
  readonly client?: Omit<ClientConfig, "publicUrl">;
  readonly appLinks?: AppLinks;
  readonly root?: string;
}

/** An inline script's source expression for the content security policy. */
function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

export function createSite({
  mode,
  client = defaultClientConfig,
  appLinks = noAppLinks,
  root = process.cwd(),
}: SiteOptions): Promise<BuiltSite> {
  return mode === "production" ? builtSite(root, client, appLinks) : developmentSite(root, client, appLinks);
}

async function builtSite(root: string, client: Omit<ClientConfig, "publicUrl">, appLinks: AppLinks): Promise<BuiltSite> {
  if (!existsSync(join(root, "build/server/entry-server.js")) || !existsSync(join(root, "build/client/.vite/manifest.json")))
    throw new Error("The build in build/ is missing or incomplete: run npm run build.");
  const entry: EntryServer = await import(pathToFileURL(join(root, "build/server/entry-server.js")).href);
  return {
    ...entry.createRenderer(await builtAssets(root), client, appLinks),
    scriptHashes: entry.inlineScripts.map(hashOf),
    // Imported for the first mail, so that starting the site does not wait for it.
    async renderMail(...mail: Parameters<RenderMail>) {
      const { renderMail }: { renderMail: RenderMail } = await import(pathToFileURL(join(root, "build/server/mail.js")).href);
      return renderMail(...mail);
    },
    close: () => Promise.resolve(),
  };
}

const manifestSchema = v.record(
  v.string(),
  v.object({ file: v.string(), css: v.optional(v.array(v.string()), []), imports: v.optional(v.array(v.string()), []) }),
);

async function builtAssets(root: string): Promise<Assets> {
  const folder = join(root, "build/client/.vite");
  const read = async <Schema extends v.GenericSchema>(name: string, schema: Schema) =>
    v.parse(v.pipe(v.string(), v.parseJson(), schema), await readFile(join(folder, name), "utf8"));
  const manifest = await read("manifest.json", manifestSchema);
  const content = await read("content.json", v.record(v.string(), v.string()));
  const sheets = new Map(
    await Promise.all(
      [...new Set(Object.values(manifest).flatMap(({ css }) => css))].map(async (file) => {
        const text = (await readFile(join(root, "build/client", file), "utf8")).trim();
        return [file, { href: `/${file}`, sheet: readStyleSheet(text) }] as const;
      }),
    ),
  );
  const chunk = (key: string) => {
    const found = manifest[key];
    if (found === undefined) throw new Error(`${key} is not in the built site; run npm run build`);
    return found;
  };
  const closure = (key: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (!seen.has(key)) {
      seen.add(key);
      for (const imported of chunk(key).imports) closure(imported, seen);
    }
    return seen;
  };
  return {
    forPage(route, version, locale, sources) {
      const keys = [
        ...new Set(
          [
            "src/web/entry-client.tsx",
            ...(route === "questionnaire/question" ? [] : ["src/web/laterPages.ts", pageSource(route)]),
            ...sources,
          ].flatMap((source) => [...closure(source)]),
        ),
      ];
      const questionnaire = content[`questionnaire-${version}-${locale}`] ?? "";
      const laterContents = content[`contents-${version}-${locale}`] ?? "";
      const texts = content[`texts-${locale}`] ?? "";
      const moreTexts = content[`more-texts-${locale}`] ?? "";
      // An ordinary question needs neither further texts nor further modules (`Page.sources`).
      const ordinary = route === "questionnaire/question" && sources.length === 0;
      return {
        stylesheets: [],
        styles: [...new Set(keys.flatMap((key) => chunk(key).css))].flatMap((file) => sheets.get(file) ?? []),
        modules: [
          ...keys.map((key) => `/${chunk(key).file}`),
          questionnaire,
          texts,
          ...(ordinary ? [] : [moreTexts]),
          ...(sources.includes(otherBlocksSource) ? [laterContents] : []),
        ],
        returning: [...closure("src/web/session/returning.ts")].filter((key) => !keys.includes(key)).map((key) => `/${chunk(key).file}`),
        scripts: [`/${chunk("src/web/entry-client.tsx").file}`],
        questionnaire,
        release: releaseOf(version),
        laterContents,
        texts,
        moreTexts,
      };
    },
  };
}

function releaseOf(version: string): string {
  if (!isVersion(version)) throw new Error(`There is no version ${version}`);
  return shippedRelease(version).name;
}

function pageSource(route: PageRoute): string {
  return `src/web/pages/${route}/page.tsx`;
}

async function developmentSite(root: string, client: Omit<ClientConfig, "publicUrl">, appLinks: AppLinks): Promise<BuiltSite> {
  const { createServer } = await import("vite");
  const { developmentPrefix } = await import("./build/contentModules.ts");
  const vite = await createServer({
    root,
    server: { middlewareMode: true, hmr: { port: Number(process.env["HMR_PORT"] ?? 24678) } },
    appType: "custom",
  });

  const assetsWith = (query: string): Assets => ({
    forPage(_route: PageRoute, version: string, locale: Locale) {
      const styles = [...vite.environments.ssr.moduleGraph.urlToModuleMap.keys()].filter((url) => url.endsWith(".css"));
      return {
        // In development, scripts load the styles. Without these links the first paint would be unstyled.
        stylesheets: styles.map((url) => `${url}?direct`),
        styles: [],
        modules: [],
        returning: [],
        scripts: ["/@vite/client", "/src/web/entry-client.tsx"],
        release: releaseOf(version),
        questionnaire: `${developmentPrefix}questionnaire-${version}-${locale}.js${query}`,
        laterContents: `${developmentPrefix}contents-${version}-${locale}.js${query}`,
        texts: `${developmentPrefix}texts-${locale}.js${query}`,
        moreTexts: `${developmentPrefix}more-texts-${locale}.js${query}`,
      };
    },
  });
  /** Vite reloads it after a change of its sources. `?pseudo` in a page's address selects the pseudo-locale. */
  async function renderer(url: string): Promise<ReturnType<EntryServer["createRenderer"]>> {
    try {
      const entry = await vite.ssrLoadModule("/src/web/entry-server.tsx");
      const createRenderer: EntryServer["createRenderer"] = entry["createRenderer"];
      const pseudo = new URL(`http://localhost${url}`).searchParams.has("pseudo");
      const contents: Pseudo["pseudoContents"] | undefined = pseudo
        ? (await vite.ssrLoadModule("/src/web/build/pseudo.ts"))["pseudoContents"]
        : undefined;
      const { render, renderError } = createRenderer(assetsWith(pseudo ? "?pseudo" : ""), client, appLinks, contents);
      return {
        renderError,
        async render(request) {
          try {
            return await render(request);
          } catch (error) {
            throw traced(error);
          }
        },
      };
    } catch (error) {
      throw traced(error);
    }
  }
  /** The same error with its stack mapped to the sources. */
  function traced(error: unknown): unknown {
    if (error instanceof Error) vite.ssrFixStacktrace(error);
    return error;
  }
  return {
    // The policy of a server in development lets every inline script run.
    scriptHashes: [],
    render: async (request) => (await renderer(request.url)).render(request),
    renderError: async (request) => (await renderer(request.url)).renderError(request),
    async renderMail(...mail: Parameters<RenderMail>) {
      const templates = await vite.ssrLoadModule("/src/server/mail/templates/index.tsx");
      const renderMail: RenderMail = templates["renderMail"];
      return renderMail(...mail);
    },
    middleware: vite.middlewares,
    close: () => vite.close(),
  };
}
