/**
 * `npm run dev`: serves the site with hot reload and an error overlay (Vite). Restarts the server and rebuilds the studio when their sources
 * change; the studio's page must be reloaded.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";

const watched = ["src/server", "src/core", "src/standins", "src/studio/contract.ts", "src/studio/contract", "src/main.ts"];
// The server needs this folder at its start, even when it is empty.
mkdirSync("build/studio/assets", { recursive: true });
const studio = spawn(
  process.execPath,
  ["node_modules/vite/bin/vite.js", "build", "--config", "vite.studio.config.ts", "--watch", "--logLevel", "warn"],
  { stdio: "inherit" },
);
const child = spawn(process.execPath, [...watched.map((path) => `--watch-path=${path}`), "--watch-preserve-output", "src/main.ts"], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development" },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void (child.kill(signal), studio.kill(signal)));
child.on("exit", (code) => {
  studio.kill();
  process.exit(code ?? 1);
});
