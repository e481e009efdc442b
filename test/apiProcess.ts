/** For tests: the calls as a process of their own (serveApi.ts). */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface ApiProcess {
  /** Where it answers, without a slash at the end. */
  readonly base: string;
  readonly server: ChildProcess;
  readonly kill: () => Promise<void>;
}

/** @param said what becomes of what it says of failures */
export async function startApi(env: Readonly<Record<string, string>>, said: "inherit" | "ignore" = "inherit"): Promise<ApiProcess> {
  const server = spawn(process.execPath, ["test/serveApi.ts"], {
    // A machine that tests keep busy is to answer all the same.
    env: { PATH: process.env["PATH"], PORT: "0", BUSY_AFTER_MS: "0", ...env },
    stdio: ["ignore", "pipe", said],
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
