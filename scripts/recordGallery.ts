/** `npm run gallery:record`: keeps in `test/screenshots` what is missing there or looks different now. Look at the changed files before you commit them. */
import { ensureChromium } from "./chromium.ts";
import { run } from "./run.ts";

const env = { CHROMIUM: await ensureChromium(), LONG: "1", VITE_RECORD_SCREENSHOTS: "1" };
const { code } = await run("vitest", ["run", "--project", "browser", "src/blocks/gallery"], { show: true, env });
process.exitCode = code;
