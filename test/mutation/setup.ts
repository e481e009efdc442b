/** A mutant meets the same cases in every run, and the first that fails is enough. Nothing is slow on purpose. */
import fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, vi } from "vitest";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120, endOnFailure: true });

/** Only hashing's own tests hash for real: it is slow on purpose, and takes most of the time of other tests. */
const hashingIsTested = /\/(hashing|passwords)\.test\.ts$/.test(expect.getState().testPath ?? "");
if (!hashingIsTested)
  vi.doMock("#server/accounts/hashing.ts", () => {
    const encode = (password: string) => {
      const sum = createHash("sha256").update(password).digest("base64").replace(/=+$/, "");
      return `$argon2id$v=19$m=19456,t=2,p=1$mutation$${sum}`;
    };
    return {
      cost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
      hash: async (password: string) => encode(password),
      verify: async (encoded: string, password: string) =>
        encoded === encode(password) || (encoded.includes("m=8192") && (await import("@node-rs/argon2")).verify(encoded, password)),
    };
  });
