/**
 * Set-up for tests in Node: no slow password hashes, which would take a third of the time of tests with accounts. Tests of hashing, journeys and
 * processes that tests start use real hashes, and so does the whole long run.
 */
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { expect, vi } from "vitest";
import { long } from "./sampled.ts";

const usesRealHashes = /\/(hashing|passwords|passwordLanes|loginTiming|underway|server\/calls)\.test\.ts$/;

if (!long && !usesRealHashes.test(expect.getState().testPath ?? ""))
  vi.doMock("#server/accounts/hashing.ts", () => {
    const encode = (password: string) => {
      const sum = createHash("sha256").update(password).digest("base64").replace(/=+$/, "");
      return `$argon2id$v=19$m=19456,t=2,p=1$quick$${sum}`;
    };
    return {
      cost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
      // Other requests go on meanwhile, as they do beside a real hash.
      hash: async (password: string) => turn(encode(password)),
      verify: async (encoded: string, password: string) =>
        (await turn(encoded)) === encode(password) ||
        (encoded.includes("m=8192") && (await import("@node-rs/argon2")).verify(encoded, password)),
    };
  });
