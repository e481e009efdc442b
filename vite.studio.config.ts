import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The third build: what operators load, in a folder of its own (`scripts/build.ts`). Alone: `vite build --config vite.studio.config.ts --watch`. */
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
  },
});
