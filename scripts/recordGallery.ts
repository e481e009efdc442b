/** `npm run gallery:record`: keeps the gallery as it looks now in `test/screenshots`. Look at what changed before committing it. */
import { ensureChromium } from "./chromium.ts";
import { run } from "./run.ts";

const env = { CHROMIUM: await ensureChromium(), VITE_RECORD_SCREENSHOTS: "1" };
const { code } = await run("vitest", ["run", "--project", "browser", "src/blocks/gallery"], { show: true, env });
process.exitCode = code;
