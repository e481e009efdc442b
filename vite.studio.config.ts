import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The third build: the studio, in its own folder (`scripts/build.ts`). To build only the studio: `vite build --config vite.studio.config.ts --watch`. */
export default defineConfig({
  root: "src/studio",
  base: "/studio/",
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: "../../build/studio",
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsInlineLimit: 0,
    sourcemap: false,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
