/**
 * Passwords, hashed with Argon2id. Few are hashed at once, so that nothing else slows down. The others wait in lanes (decision 212), served in this order: proven
 * callers, sign-ups of known visits, other sign-ups, logins, networks that have tried often lately. Within a lane, networks take turns.
 */
import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { brand } from "#content/brand.ts";
import { siteOf } from "../base/visitor.ts";
import { isCommonWord } from "./commonWords.ts";
import { createFairQueue } from "./fairQueue.ts";
import { cost, hash, verify } from "./hashing.ts";
import { createRecentAsks } from "./recentAsks.ts";

const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** A well-formed hash that no password matches. */
const dummy = `${currentPrefix}${"A".repeat(22)}$${"A".repeat(43)}`;
/** The longest queue per thread. Further callers are told to retry. */
const queuePerWorker = 20;

/** Passwords of at least eight characters that are frequent in breaches: some 18,000. */
const breachedPasswords: ReadonlySet<string> = new Set(passwords.filter((password) => password.length >= 8));

const lettersOf = (word: string): string => word.replaceAll(/[^\p{L}]/gu, "");
const brandName = brand.name.toLowerCase();

/** In serving order. The last lane is for networks that have tried often lately. */
const lanes = ["known", "visitor", "sign-up", "login", "much asked"] as const;
/**
 * The caller's lane. `known`: a device that the account knows, a session, or a mailed link. `visitor`: a sign-up whose visit the server has known for a while.
 */
export type CallerKind = Exclude<(typeof lanes)[number], "much asked">;
export type Asker =
  | { readonly network: string; readonly as: "known"; readonly accountUuid: string }
  | { readonly network: string; readonly as: Exclude<CallerKind, "known"> };

/**
 * The most hashes of a network, or of an account's known devices, within the last ten to twenty minutes. With more, a network's callers
 * wait in the last lane, and the account's known devices in the lane of logins. A right password does not count for the network, so that a
 * crowd behind one address does not wait like a guesser. But one account's right passwords are free only this often: somebody who sends the
 * same password over and over must not delay others.
 */
const mostRecentHashes = 10;

export const busy = Symbol("The hash queue is full");
export type Busy = typeof busy;

export interface Passwords {
  readonly hash: (password: string, asker: Asker) => Promise<string | Busy>;
  /** Takes the same time if there is no password or no account (null). */
  readonly matches: (storedHash: string | null, password: string, asker: Asker) => Promise<boolean | Busy>;
  /** Whether a password is too common to be chosen: one that is frequent in breaches, a common word with digits, or the brand's name with little added. */
  readonly isCommon: (password: string) => boolean;
  readonly isOutdated: (storedHash: string) => boolean;
  /** The number of hashes running and waiting. */
  readonly load: () => number;
}

const groupOf = ({ network }: Asker): string => siteOf(network);

export function createPasswords(cores: number): Passwords {
  const workers = Math.max(1, cores - 1);
  const line = createFairQueue(workers * queuePerWorker, lanes.length);
  const recentHashes = createRecentAsks();
  let running = 0;

  function laneOf(asker: Asker, group: string): number {
    if (asker.as === "known") return lanes.indexOf(recentHashes(`account ${asker.accountUuid}`) > mostRecentHashes ? "login" : "known");
    return lanes.indexOf(recentHashes(group) > mostRecentHashes ? "much asked" : asker.as);
  }

  async function inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T | Busy> {
    const group = groupOf(asker);
    const lane = laneOf(asker, group);
    if (running < workers) running++;
    else if (!(await line.wait(group, lane))) return busy;
    try {
      return await work();
    } finally {
      // The slot passes to the next in the queue, so `running` stays the same.
      if (!line.next()) running--;
    }
  }

  return {
    hash: (password, asker) => inTurn(asker, () => hash(password)),
    matches: (storedHash, password, asker) =>
      inTurn(asker, async () => {
        const matched = await verify(storedHash ?? dummy, password);
        if (!matched || storedHash === null) return false;
        if (asker.as !== "known" && recentHashes(`password ${storedHash}`) <= mostRecentHashes) recentHashes(groupOf(asker), -1);
        return true;
      }),
    isCommon: (password) => {
      const word = password.toLowerCase();
      return (
        breachedPasswords.has(word) ||
        isCommonWord(word) ||
        (word.includes(brandName) && lettersOf(word.replaceAll(brandName, "")).length < 4)
      );
    },
    isOutdated: (storedHash) => !storedHash.startsWith(currentPrefix),
    load: () => running + line.length(),
  };
}
