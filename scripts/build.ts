/** `npm run build`: builds pictures, the site for browsers, the server's renderers of pages and mails, and the studio. */
import { build } from "vite";
import { precompress } from "./precompress.ts";
import { keptAssets, moveMaps, restoreAssets } from "./assets.ts";
import { run } from "./run.ts";

if (!process.argv.includes("--no-media")) {
  const { code } = await run(process.execPath, ["scripts/media.ts"], { show: true });
  if (code !== 0) process.exit(code);
}
const kept = keptAssets("build/client/assets");
await build({ logLevel: "warn" });
restoreAssets("build/client/assets", kept);
moveMaps("build/client/assets", "build/maps");
await build({ logLevel: "warn", build: { ssr: true } });
await precompress("build/client/assets");
const keptStudio = keptAssets("build/studio/assets");
await build({ logLevel: "warn", configFile: "vite.studio.config.ts" });
restoreAssets("build/studio/assets", keptStudio);
await precompress("build/studio/assets");
