import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, minifySync, type Plugin } from "vite";
import { funnelOverlay } from "./scripts/funnelOverlay.ts";
import { contentModules } from "./src/web/build/contentModules.ts";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";

/** Matches these files and folders of `src`. Throws when one does not exist: otherwise a renamed file would silently drop out of its chunk. */
function sources(...paths: readonly string[]): RegExp {
  const missing = paths.find((path) => !existsSync(join(import.meta.dirname, "src", path)));
  if (missing !== undefined) throw new Error(`vite.config.ts names src/${missing}, which does not exist`);
  return new RegExp(`/src/(?:${paths.map((path) => RegExp.escape(path)).join("|")})`);
}

/** Minifies the functions whose source text every page contains (`document.ts`). Each of these files has nothing but its function. */
const shortSources: Plugin = {
  name: "parlando-short-sources",
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  enforce: "post",
  transform: {
    filter: { id: sources("web/taps.ts", "web/storedTheme.ts", "web/completedLink.ts", "web/firstAnswer.ts", "web/afterPaint.ts") },
    handler(code, id) {
      const short = minifySync(id, code, { module: true, mangle: true }).code;
      const [, source, name] = /^export (function (\w+)\([^]*\});?$/.exec(short) ?? [];
      if (source === undefined || name === undefined) throw new Error(`${id} is more than one exported function`);
      // The bundler would print the function unminified again, so `toString` returns the minified text.
      return `${short}\n${name}.toString = () => ${JSON.stringify(source)};`;
    },
  },
};

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const scopedNames = new Map<string, string>();

/**
 * A class name of four letters for a CSS module: short, because pages, styles and scripts all repeat it. It depends only on the file and the name, so
 * both builds get the same one.
 */
function scopedName(name: string, file: string): string {
  const full = `${relative(import.meta.dirname, file)} ${name}`;
  const bytes = createHash("sha256").update(full).digest().subarray(0, 4);
  const short = [...bytes].map((byte) => letters[byte % letters.length]).join("");
  if ((scopedNames.get(short) ?? full) !== full)
    throw new Error(`${full} and ${scopedNames.get(short)} share the class ${short}: rename one`);
  scopedNames.set(short, full);
  return short;
}

/** Short hashes: pages and the first question's code contain dozens of names, and a hash cannot be compressed. Both builds name a file alike. */
const assetNames = { hashCharacters: "base36", assetFileNames: "assets/[name]-[hash:7][extname]" } as const;

const isReact = (file: string) => file.startsWith("assets/react-");

/** No statistics about slow plugins among what an operator reads. */
const quiet = { bundlerTimings: false };

/** Two builds: `vite build` for the browser, `vite build --ssr` for rendering pages and mails on the server (`scripts/build.ts`). */
export default defineConfig(({ command, isSsrBuild }) => ({
  // The overlay must come before `contentModules`: it notes the requested version of the contents.
  plugins: [react(), funnelOverlay(), contentModules(), legalDocuments(), shortSources],
  appType: "custom",
  publicDir: false,
  css: command === "build" ? { modules: { generateScopedName: scopedName } } : {},
  build: isSsrBuild
    ? {
        outDir: "build/server",
        ssr: true,
        target: "node26",
        minify: false,
        rolldownOptions: {
          input: {
            "entry-server": "src/web/entry-server.tsx",
            mail: "src/server/mail/templates/index.tsx",
          },
          // Node runs these files without a build, so the server and the renderer share one copy of the contents.
          external: /^#(core|content)\//,
          checks: quiet,
          output: assetNames,
        },
      }
    : {
        outDir: "build/client",
        manifest: true,
        // The scripts do not name their source maps, because the build moves the maps out of the public folder.
        sourcemap: "hidden",
        target: "baseline-widely-available",
        modulePreload: {
          polyfill: false,
          // The import itself requests its file, and React is loaded already: neither needs a preload.
          resolveDependencies: (file, dependencies) => dependencies.filter((dependency) => dependency !== file && !isReact(dependency)),
        },
        // Pictures and fonts stay files, because an inlined one cannot be cached separately.
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: { app: "src/web/entry-client.tsx" },
          // A module that the page imports both ways is in the chunk that needs it first, on purpose.
          checks: { ...quiet, ineffectiveDynamicImport: false },
          output: {
            ...assetNames,
            entryFileNames: "assets/[name]-[hash:7].js",
            // Ad blockers block files named "analytics", and the choice of cookies needs this chunk.
            chunkFileNames: ({ name }) => `assets/${name === "analytics" ? "journey" : name}-[hash:7].js`,
            // A few chunks: code that changes rarely, code for the first question, and code for later pages.
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
                // The validator, and the code that reads a stored state with it. A first visit loads neither (`session/returning.ts`).
                {
                  name: "valibot",
                  test: new RegExp(
                    `/node_modules/valibot/|${sources("web/device/readState.ts", "web/session/staying.ts", "core/questionnaire/state.ts", "core/questionnaire/storedState.ts").source}`,
                  ),
                  priority: 3,
                },
                { name: "watch", test: sources("web/analytics/", "web/outside/"), priority: 3 },
                {
                  name: "calls",
                  test: sources(
                    ...["api", "consent", "errorBody", "events", "links"].map((name) => `core/${name}.ts`),
                    ...[
                      "api/claims",
                      "api/client",
                      "api/repeat",
                      "api/request",
                      "browser/afterHydration",
                      "browser/translation",
                      "device/cachedConfig",
                      "session/config",
                      "session/marketingConsent",
                      "session/submit",
                    ].map((name) => `web/${name}.ts`),
                  ),
                  priority: 2,
                },
                // Code for returning visitors only. The first question must not load it.
                {
                  name: "accounts",
                  test: sources(
                    "web/account/",
                    ...["session/saving.ts", "session/reconcile.ts", "pages/login/failure.ts", "pages/login/sendLink.ts"].map(
                      (name) => `web/${name}`,
                    ),
                    "web/pages/link/LinkLogin.tsx",
                    ...["entitlement", "questionnaire/destination", "questionnaire/merge"].map((name) => `core/${name}.ts`),
                  ),
                  minShareCount: 2,
                  priority: 3,
                },
                {
                  name: "site",
                  test: sources(
                    ...["brand.ts", "legal/documents.ts"].map((name) => `content/${name}`),
                    ...["Field.tsx", "Field.module.css", "press.ts", "Tag.tsx", "Tag.module.css"].map((name) => `ui/${name}`),
                    ...["Scene.tsx", "scene.module.css", "SiteHeader.tsx", "site.module.css"].map((name) => `web/shell/${name}`),
                    ...["formats", "money", "questionnaire/placeholders"].map((name) => `core/${name}.ts`),
                    "web/pages/legal/",
                  ),
                  minShareCount: 2,
                  priority: 2,
                },
                // Everything that the first question needs, without modules that only later pages share. The entry has its own chunk: it waits
                // for its page's module, which must not wait for the entry.
                { name: "first", tags: ["$initial"], test: /^(?!.*entry-client)/, priority: 1 },
              ],
            },
          },
        },
      },
}));
