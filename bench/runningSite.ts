/** Starts the built site with its own port and data folder, for benchmarks and screenshots. `npm run build` must have run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunningSite {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * @param port where it listens when `PORT` does not say otherwise
 * @param settings added to the environment
 */
export async function startBuiltSite(port: number, settings: Readonly<Record<string, string>> = {}): Promise<RunningSite> {
  const chosen = Number(process.env["PORT"] ?? port);
  const url = `http://localhost:${chosen}`;
  const dataDir = mkdtempSync(join(tmpdir(), "parlando-site-"));
  const server = spawn(process.execPath, ["src/main.ts"], {
    env: { ...process.env, NODE_ENV: "", PORT: String(chosen), DATA_DIR: dataDir, PUBLIC_URL: url, LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async () => {
    if (server.exitCode === null) {
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      await gone;
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200 && server.exitCode === null; tries += 1) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error("The site did not start");
}
