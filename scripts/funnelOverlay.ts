/** Vite plugin: checks questionnaires at the first request and after each edit. Faults show in Vite's error overlay. */
import type { ErrorPayload, Plugin, ViteDevServer } from "vite";

type ProofModule = typeof import("../src/content/questionnaires/review/proof.ts");
type VersionsModule = typeof import("../src/content/questionnaires/index.ts");

/** The version whose file was edited, or else the one last sent to the browser. */
export function editedVersion(file: string, lastSent: string | null): string | null {
  return /\/questionnaires\/v(\w+)\.ts$/.exec(file)?.[1] ?? lastSent;
}

/** Key for the default versions, which visitors get without naming one. */
const served = "served";

export function funnelOverlay(): Plugin {
  let lastSent: string | null = null;
  let judge: Judge | null = null;
  return {
    name: "parlando-funnel-overlay",
    apply: "serve",
    configureServer(server) {
      const own = judgeOf(server);
      judge = own;
      server.middlewares.use((request, _response, next) => {
        const sent = /questionnaire-(\w+?)-/.exec(request.url ?? "")?.[1] ?? lastSent;
        own.first(served);
        if (sent !== null) own.first(sent);
        lastSent = sent;
        next();
      });
      // An edit of contents reloads the page, and the new page needs the overlay again.
      server.environments.client.hot.on("vite:client:connect", async (_data, client) => {
        own.first(served);
        const before = own.shown();
        await own.settled();
        const shown = own.shown();
        // A changed result was sent to all pages already.
        if (shown !== null && shown.err.message === before?.err.message) client.send(shown);
      });
    },
    hotUpdate({ file }) {
      // Vite has invalidated the file's modules by now. With our own watcher the check could still see the old ones.
      if (this.environment.name === "client" && /\/src\/(content\/(questionnaires|texts|catalog|media)|blocks)\//.test(file))
        judge?.again(editedVersion(file, lastSent) ?? served);
    },
  };
}

type Judge = ReturnType<typeof judgeOf>;

/** Checks versions one at a time, in their newest state, and notifies browsers when the result changes. */
function judgeOf(server: ViteDevServer) {
  const known = new Set<string>();
  const waiting = new Set<string>();
  const faults = new Map<string, string>();
  let told = "";
  let running: Promise<void> | null = null;

  const ask = (version: string) => {
    known.add(version);
    waiting.add(version);
    running ??= work().finally(() => {
      running = null;
    });
  };
  async function work(): Promise<void> {
    for (let [version] = waiting; version !== undefined; [version] = waiting) {
      waiting.delete(version);
      await prove(version).catch((error: unknown) => {
        server.config.logger.error(String(error));
        faults.set(served, `The questionnaires cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
    tell();
  }
  async function prove(version: string): Promise<void> {
    const versions = await server.ssrLoadModule("/src/content/questionnaires/index.ts");
    const isVersion: VersionsModule["isVersion"] = versions["isVersion"];
    const byDefault: VersionsModule["defaultVersion"] = versions["defaultVersion"];
    const embedded: VersionsModule["embeddedVersion"] = versions["embeddedVersion"];
    const verdictFor: ProofModule["verdictFor"] = (await server.ssrLoadModule("/src/content/questionnaires/review/proof.ts"))["verdictFor"];
    if (version === served) {
      faults.delete(served);
      for (const each of [...Object.values(byDefault), ...Object.values(embedded)]) if (!known.has(each)) ask(each);
    }
    if (!isVersion(version)) return;
    const { verdict, fault } = verdictFor(version);
    server.config.logger.info(verdict);
    if (fault === null) faults.delete(version);
    else faults.set(version, fault);
  }
  const shown = (): ErrorPayload | null =>
    told === "" ? null : { type: "error", err: { message: told, stack: "", plugin: "npm run funnel -- check" } };
  function tell(): void {
    const now = [...faults.values()].join("\n");
    if (now === told) return;
    told = now;
    // An empty update removes the overlay.
    server.environments.client.hot.send(shown() ?? { type: "update", updates: [] });
  }
  return {
    shown,
    first(version: string) {
      if (!known.has(version)) ask(version);
    },
    /** Also rechecks versions with faults, which this edit may have fixed. */
    again(version: string) {
      for (const each of new Set([version, ...faults.keys()])) ask(each);
    },
    settled: () => running ?? Promise.resolve(),
  };
}
