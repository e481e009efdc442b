/** Set-up for mutation tests: the same random cases in every run, no shrinking, and no slow password hashes. */
import fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, vi } from "vitest";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120, endOnFailure: true });

/** Only the tests of hashing use real hashes, which would dominate the time of other tests. */
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
