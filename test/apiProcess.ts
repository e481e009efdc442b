/** For tests: the API as a process of its own (serveApi.ts). */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface ApiProcess {
  /** Where it answers, without a slash at the end. */
  readonly base: string;
  readonly server: ChildProcess;
  readonly kill: () => Promise<void>;
}

/** @param log whether its log is shown */
export async function startApi(env: Readonly<Record<string, string>>, log: "inherit" | "ignore" = "inherit"): Promise<ApiProcess> {
  const server = spawn(process.execPath, ["test/serveApi.ts"], {
    // Tests keep the machine busy; the server must answer nevertheless.
    env: { PATH: process.env["PATH"], PORT: "0", BUSY_AFTER_MS: "0", ...env },
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
