/** In development, questionnaires are proved when the site is first asked for and after each edit; a fault is shown over the page. */
import type { ErrorPayload, Plugin, ViteDevServer } from "vite";

type ProofModule = typeof import("../src/content/questionnaires/review/proof.ts");
type VersionsModule = typeof import("../src/content/questionnaires/index.ts");

/** The version whose file was edited, else the one that the browser was last sent. */
export function editedVersion(file: string, lastSent: string | null): string | null {
  return /\/questionnaires\/v(\w+)\.ts$/.exec(file)?.[1] ?? lastSent;
}

/** Stands for the versions that visitors get without asking for one. */
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
      // An edit of contents loads the page again: what is wrong has to be said to the new page.
      server.environments.client.hot.on("vite:client:connect", async (_data, client) => {
        own.first(served);
        const before = own.shown();
        await own.settled();
        const shown = own.shown();
        // What became known meanwhile was told to everybody.
        if (shown !== null && shown.err.message === before?.err.message) client.send(shown);
      });
    },
    hotUpdate({ file }) {
      // By now no module remembers the file as it was; a watcher of our own may be told sooner than Vite forgets.
      if (this.environment.name === "client" && /\/src\/(content\/(questionnaires|texts|catalog|media)|blocks)\//.test(file))
        judge?.again(editedVersion(file, lastSent) ?? served);
    },
  };
}

type Judge = ReturnType<typeof judgeOf>;

/** Proves one version after the other, each in its newest state, and tells the browsers when the verdict is another. */
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
    const judged: ProofModule["judged"] = (await server.ssrLoadModule("/src/content/questionnaires/review/proof.ts"))["judged"];
    if (version === served) {
      faults.delete(served);
      for (const each of [...Object.values(byDefault), ...Object.values(embedded)]) if (!known.has(each)) ask(each);
    }
    if (!isVersion(version)) return;
    const { verdict, fault } = judged(version);
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
    // An update without modules takes the overlay away.
    server.environments.client.hot.send(shown() ?? { type: "update", updates: [] });
  }
  return {
    shown,
    first(version: string) {
      if (!known.has(version)) ask(version);
    },
    /** What was at fault before may be mended by an edit elsewhere. */
    again(version: string) {
      for (const each of new Set([version, ...faults.keys()])) ask(each);
    },
    settled: () => running ?? Promise.resolve(),
  };
}
