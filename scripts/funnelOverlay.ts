/** In development, an edit of a questionnaire or a text is proved at once; a fault is shown over the page. */
import type { ErrorPayload, Plugin } from "vite";

type ProofModule = typeof import("./funnelProof.ts");
type VersionsModule = typeof import("../src/content/questionnaires/index.ts");

/** The version whose file was edited, else the one that the browser was last sent. */
export function editedVersion(file: string, lastSent: string | null): string | null {
  return /\/questionnaires\/v(\w+)\.ts$/.exec(file)?.[1] ?? lastSent;
}

export function funnelOverlay(): Plugin {
  let lastSent: string | null = null;
  let shown: ErrorPayload | null = null;
  return {
    name: "parlando-funnel-overlay",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        lastSent = /questionnaire-(\w+?)-/.exec(request.url ?? "")?.[1] ?? lastSent;
        next();
      });
      // An edit of contents loads the page again: what is wrong has to be said to the new page.
      server.environments.client.hot.on("vite:client:connect", (_data, client) => {
        if (shown !== null) client.send(shown);
      });
      server.watcher.on("change", async (file) => {
        if (!/\/src\/content\/(questionnaires|texts)\//.test(file)) return;
        const { prove, inWords }: Pick<ProofModule, "prove" | "inWords"> = await server
          .ssrLoadModule("/scripts/funnelProof.ts")
          .then((module) => ({ prove: module["prove"], inWords: module["inWords"] }));
        const isVersion: VersionsModule["isVersion"] = (await server.ssrLoadModule("/src/content/questionnaires/index.ts"))["isVersion"];
        const version = editedVersion(file, lastSent);
        if (version === null || !isVersion(version)) return;
        const { findings, milliseconds } = prove(version);
        const faults = findings.filter(({ severity }) => severity === "fault");
        server.config.logger.info(
          `Version ${version}: ${faults.length === 0 ? "sound" : `${faults.length} faults`} (${milliseconds.toFixed(0)} ms)`,
        );
        shown =
          faults.length === 0
            ? null
            : {
                type: "error",
                err: {
                  message: `Version ${version} is not sound\n${faults.map(inWords).join("\n")}`,
                  stack: "",
                  plugin: "npm run funnel -- check",
                },
              };
        if (shown !== null) server.environments.client.hot.send(shown);
      });
    },
  };
}
