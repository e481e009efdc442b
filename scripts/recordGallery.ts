/**
 * `npm run gallery:record [-- <block type> …]`: records screenshots of every block, or of these blocks, in every theme in `test/screenshots`.
 * Look at the changed files before you commit them.
 */
import { ensureChromium } from "./chromium.ts";
import { blockTypes, isBlockType } from "#blocks/specs.ts";
import { run } from "./run.ts";

const types = process.argv.slice(2);
const unknown = types.filter((type) => !isBlockType(type));
if (unknown.length > 0) {
  console.error(`Unknown block type: ${unknown.join(", ")}. Block types: ${blockTypes.join(", ")}.`);
  process.exit(1);
}
const only = types.length === 0 ? [] : ["-t", ` (${types.join("|")}) looks as in its reference picture`];

const env = { CHROMIUM: await ensureChromium(), LONG: "1", VITE_RECORD_SCREENSHOTS: "1" };
const { code } = await run("vitest", ["run", "--project", "browser", "src/blocks/gallery", ...only], { show: true, env });
process.exitCode = code;
