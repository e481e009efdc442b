/** `npm run dev`: the site with hot reload and an error overlay (Vite), the server restarted when its own sources change. */
import { spawn } from "node:child_process";

const watched = ["src/server", "src/core", "src/standins", "src/main.ts"];
const child = spawn(process.execPath, [...watched.map((path) => `--watch-path=${path}`), "--watch-preserve-output", "src/main.ts"], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development" },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
