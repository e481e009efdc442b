/** `npm run test:drills`: one installation, one drill after the other. */
import { defineConfig } from "vitest/config";

const tenMinutes = 10 * 60_000;

export default defineConfig({
  test: { include: ["test/drills/**/*.test.ts"], fileParallelism: false, hookTimeout: tenMinutes, testTimeout: tenMinutes },
});
