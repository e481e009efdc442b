/** Passwords under Argon2id. Few are hashed at once, so that nothing else slows down, and networks take turns. */
import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { brand } from "#content/brand.ts";
import { siteOf } from "../base/visitor.ts";
import { createFairQueue } from "./fairQueue.ts";
import { cost, hash, verify } from "./hashing.ts";

const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** A well-formed hash that no password matches. */
const dummy = `${currentPrefix}${"A".repeat(22)}$${"A".repeat(43)}`;
/** A caller who would wait for more hashes than this is told to retry. */
const queuePerWorker = 20;

/** The most common passwords among those that are long enough. */
const commonPasswords: ReadonlySet<string> = new Set(passwords.filter((password) => password.length >= 8).slice(0, 3_000));

const lettersOf = (word: string): string => word.replaceAll(/[^\p{L}]/gu, "");
const brandName = brand.name.toLowerCase();

export const busy = Symbol("The hash queue is full");
export type Busy = typeof busy;

export interface Passwords {
  readonly hash: (password: string, network: string) => Promise<string | Busy>;
  /** Takes the same time without a password or an account (null). */
  readonly matches: (storedHash: string | null, password: string, network: string) => Promise<boolean | Busy>;
  /** Whether it is among the most common, or the brand's name with little added. Such a password cannot be chosen. */
  readonly isCommon: (password: string) => boolean;
  readonly isOutdated: (storedHash: string) => boolean;
  /** Number of hashes running and waiting. */
  readonly load: () => number;
}

export function createPasswords(cores: number): Passwords {
  const workers = Math.max(1, cores - 1);
  const line = createFairQueue(workers * queuePerWorker);
  let running = 0;

  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T | Busy> {
    if (running < workers) running++;
    else if (!(await line.wait(siteOf(network) ?? network))) return busy;
    try {
      return await work();
    } finally {
      // The slot passes to the next in the queue, so `running` stays the same.
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
