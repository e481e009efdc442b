/** For tests: runs the API as a separate process (serveApi.ts). */
import { startedEnv } from "#test/startedEnv.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface ApiProcess {
  /** Base URL without a trailing slash. */
  readonly base: string;
  readonly server: ChildProcess;
  readonly kill: () => Promise<void>;
}

/** @param log whether to show its log */
export async function startApi(env: Readonly<Record<string, string>>, log: "inherit" | "ignore" = "inherit"): Promise<ApiProcess> {
  const server = spawn(process.execPath, ["test/serveApi.ts"], {
    // Disables load shedding, because tests keep the machine busy.
    env: { ...startedEnv, PORT: "0", BUSY_AFTER_MS: "0", ...env },
    stdio: ["ignore", "pipe", log],
  });
  const gone = once(server, "exit");
  const [line] = await once(server.stdout, "data");
  return {
    base: String(line).trim(),
    server,
    kill: async () => {
      server.kill("SIGKILL");
      await gone;
    },
  };
}
