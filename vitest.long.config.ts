/** `npm run test:long`: what takes minutes, besides everything else. */
import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.config.ts";

export default mergeConfig(
  usual,
  defineConfig({
    test: {
      projects: [
        {
          test: {
            name: "long",
            include: ["test/long/**/*.test.ts"],
            setupFiles: ["./test/setup.ts"],
            globalSetup: ["./test/postgres.ts"],
            hookTimeout: 60_000,
            testTimeout: 1_800_000,
          },
        },
      ],
    },
  }),
);
