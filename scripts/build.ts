/** `npm run build`: pictures, the site for browsers, and what renders pages and mails on the server. */
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
