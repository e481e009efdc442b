/** Passwords under Argon2id, with few hashes at once so that nothing else slows, and a fair turn for each network. */
import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { brand } from "#content/brand.ts";
import { siteOf } from "../base/visitor.ts";
import { createFairLine } from "./fairLine.ts";
import { cost, hash, verify } from "./hashing.ts";

const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** Well formed, and the hash of nothing anybody can type. */
const dummy = `${currentPrefix}${"A".repeat(22)}$${"A".repeat(43)}`;
/** Who waits longer than this many hashes is better told to come again. */
const queuePerWorker = 20;

/** The commonest of those that are long enough, most used first in the list. */
const commonPasswords: ReadonlySet<string> = new Set(passwords.filter((password) => password.length >= 8).slice(0, 3_000));

const lettersOf = (word: string): string => word.replaceAll(/[^\p{L}]/gu, "");
const brandName = brand.name.toLowerCase();

export const busy = Symbol("The hash queue is full");
export type Busy = typeof busy;

export interface Passwords {
  readonly hash: (password: string, network: string) => Promise<string | Busy>;
  /** Takes the same time for an account without a password or no account at all (null). */
  readonly matches: (storedHash: string | null, password: string, network: string) => Promise<boolean | Busy>;
  /** One of the first that anybody tries, or the brand's name with something beside it; not to be chosen anew. */
  readonly isCommon: (password: string) => boolean;
  readonly isOutdated: (storedHash: string) => boolean;
  /** Hashes under way and waiting. */
  readonly load: () => number;
}

export function createPasswords(cores: number): Passwords {
  const workers = Math.max(1, cores - 1);
  const line = createFairLine(workers * queuePerWorker);
  let running = 0;

  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T | Busy> {
    if (running < workers) running++;
    else if (!(await line.wait(siteOf(network) ?? network))) return busy;
    try {
      return await work();
    } finally {
      // The place is handed on, so `running` stays.
      if (!line.next()) running--;
    }
  }

  return {
    hash: (password, network) => inTurn(network, () => hash(password)),
    matches: (storedHash, password, network) =>
      inTurn(network, async () => {
        const matched = await verify(storedHash ?? dummy, password);
        return matched && storedHash !== null;
      }),
    isCommon: (password) => {
      const word = password.toLowerCase();
      return commonPasswords.has(word) || (word.includes(brandName) && lettersOf(word.replaceAll(brandName, "")).length < 4);
    },
    isOutdated: (storedHash) => !storedHash.startsWith(currentPrefix),
    load: () => running + line.length(),
  };
}
