import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, minifySync, type Plugin } from "vite";
import { funnelOverlay } from "./scripts/funnelOverlay.ts";
import { contentModules } from "./src/web/build/contentModules.ts";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";

/** Matches these files and folders of `src`, and nothing else. Throws for one that does not exist: a renamed file would leave its chunk unnoticed. */
function sources(...paths: readonly string[]): RegExp {
  const missing = paths.find((path) => !existsSync(join(import.meta.dirname, "src", path)));
  if (missing !== undefined) throw new Error(`vite.config.ts names src/${missing}, which does not exist`);
  return new RegExp(`/src/(?:${paths.map((path) => RegExp.escape(path)).join("|")})`);
}

/** The functions that every page carries as source text (`document.ts`), minified: each is its file's only code. */
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
      // The bundler prints the function with all spaces again, so its text is kept beside it.
      return `${short}\n${name}.toString = () => ${JSON.stringify(source)};`;
    },
  },
};

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const scopedNames = new Map<string, string>();

/** Four letters for each class of a CSS module: pages, styles and scripts all repeat them. The same in both builds, for they depend on file and name alone. */
function scopedName(name: string, file: string): string {
  const full = `${relative(import.meta.dirname, file)} ${name}`;
  const bytes = createHash("sha256").update(full).digest().subarray(0, 4);
  const short = [...bytes].map((byte) => letters[byte % letters.length]).join("");
  if ((scopedNames.get(short) ?? full) !== full)
    throw new Error(`${full} and ${scopedNames.get(short)} share the class ${short}: rename one`);
  scopedNames.set(short, full);
  return short;
}

const isReact = (file: string) => file.startsWith("assets/react-");

/** Two builds: `vite build` for the browser, `vite build --ssr` for what renders pages and mails on the server (`scripts/build.ts`). */
export default defineConfig(({ command, isSsrBuild }) => ({
  // The overlay sees which version is asked for before the contents answer.
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
          // Plain TypeScript runs as it is: the server and the rendered site share one copy of the contents.
          external: /^#(core|content)\//,
        },
      }
    : {
        outDir: "build/client",
        manifest: true,
        // Not named in the files: the build moves the maps out of the public folder.
        sourcemap: "hidden",
        target: "baseline-widely-available",
        modulePreload: {
          polyfill: false,
          // An import asks for its own file, and React is there already: neither is named twice.
          resolveDependencies: (file, dependencies) => dependencies.filter((dependency) => dependency !== file && !isReact(dependency)),
        },
        // Pictures and fonts stay files: what is inlined cannot be cached on its own.
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: { app: "src/web/entry-client.tsx" },
          output: {
            // Blockers of advertisements take away what is called analytics, and the choice of cookies would go with it.
            chunkFileNames: ({ name }) => `assets/${name === "analytics" ? "journey" : name}-[hash].js`,
            // Few files: what changes rarely, what the first question needs, and what later pages do.
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
                // The validator, and what reads a stored state with it. No part of a first question (`session/returning.ts`).
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
                      "device/cachedConfig",
                      "session/config",
                      "session/marketingConsent",
                      "session/submit",
                    ].map((name) => `web/${name}.ts`),
                  ),
                  priority: 2,
                },
                // What only who comes back needs; not a byte of it with the first question.
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
                // All that the first question needs, and nothing that only later pages share. The entry stands alone: it waits for its page's
                // module, which must not wait for the entry.
                { name: "first", tags: ["$initial"], test: /^(?!.*entry-client)/, priority: 1 },
              ],
            },
          },
        },
      },
}));
