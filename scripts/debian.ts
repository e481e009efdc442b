/** Installs Debian packages with apt-get, if the script runs as root. */
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { run } from "./run.ts";

export function mayInstall(): boolean {
  return platform() === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** @returns apt-get's output. The caller must check what is installed afterwards. */
export async function install(...packages: readonly string[]): Promise<string> {
  console.log(`Installing Debian's ${packages.join(", ")} …`);
  await run("apt-get", ["update", "-qq"]);
  const { output } = await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  return output;
}
