/** Installs Debian packages by apt-get where the script runs as root. */
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { run } from "./run.ts";

export function mayInstall(): boolean {
  return platform() === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** @returns apt-get's output. Whether it worked, the caller sees by what is there afterwards. */
export async function install(...packages: readonly string[]): Promise<string> {
  console.log(`Installing Debian's ${packages.join(", ")} …`);
  await run("apt-get", ["update", "-qq"]);
  const { output } = await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  return output;
}
