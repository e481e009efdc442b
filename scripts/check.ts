/** `npm run check`: runs every static check, two at a time. Fails when one fails, and prints its output. */
import { run } from "./run.ts";

const checks: Readonly<Record<string, readonly [string, ...string[]]>> = {
  types: ["tsc", "-p", "tsconfig.json"],
  "core without DOM and Node": ["tsc", "-p", "tsconfig.core.json"],
  lint: ["oxlint", "--deny-warnings", "."],
  format: ["oxfmt", "--check", "."],
  "folder rules": ["depcruise", "--config", ".dependency-cruiser.mjs", "src"],
  "unused code": ["knip", "--no-progress"],
  "regular expressions": [process.execPath, "scripts/regexes.ts"],
  "spec coverage": [process.execPath, "scripts/coverage.ts"],
  migrations: [process.execPath, "scripts/migrationRules.ts"],
  questionnaires: [process.execPath, "scripts/funnel.ts", "check"],
};

const failed: string[] = [];
const waiting = Object.entries(checks);
async function worker(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, [command, ...args]] = next;
    const started = performance.now();
    const { code, output } = await run(command, args);
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    if (code !== 0) {
      failed.push(name);
      console.log(output.trimEnd());
    }
  }
}
await Promise.all([worker(), worker()]);
if (failed.length > 0) {
  console.log(`Checks failed: ${failed.join(", ")}`);
  process.exit(1);
}
