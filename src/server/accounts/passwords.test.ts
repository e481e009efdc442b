/** A refused login does the same work whether the address has an account or not. A long test measures the time (test/long/loginTiming.test.ts). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hash, verify } from "./hashing.ts";
import { type Asker, busy, createPasswords } from "./passwords.ts";

vi.mock("./hashing.ts", { spy: true });
beforeEach(() => void vi.clearAllMocks());
afterEach(() => void vi.useRealTimers());

const asker = (network: string): Asker => ({ network, as: "sign-up" });
const knownAsker = (network: string, accountUuid: string): Asker => ({ network, as: "known", accountUuid });

/** Holds hashes until the test lets them end. `served` lists the passwords in the order in which they were hashed. */
function holdHashes() {
  const served: string[] = [];
  const held: (() => void)[] = [];
  vi.mocked(hash).mockImplementation((password) => {
    served.push(password);
    return new Promise((resolve) => held.push(() => resolve("$argon2id$")));
  });
  return {
    served,
    finish: async (count: number) => {
      for (let done = 0; done < count; done++) {
        await expect.poll(() => held.length).toBeGreaterThan(done);
        held[done]?.();
      }
    },
  };
}

describe("a password that is compared", () => {
  it("is compared once, at the same cost, whether the account has a password or not", async () => {
    const passwords = createPasswords(2);
    const stored = await passwords.hash("correct horse", asker("203.0.113.1"));
    if (stored === busy) throw new Error("The queue is empty");
    for (const given of [stored, null]) {
      vi.mocked(verify).mockClear();
      expect(await passwords.matches(given, "wrong horse", asker("203.0.113.1"))).toBe(false);
      expect(vi.mocked(verify)).toHaveBeenCalledOnce();
      expect(String(vi.mocked(verify).mock.calls[0]?.[0])).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    expect(await passwords.matches(stored, "correct horse", asker("203.0.113.1"))).toBe(true);
  });

  it("is rehashed when its cost is outdated", () => {
    const { isOutdated } = createPasswords(2);
    expect(isOutdated("$argon2id$v=19$m=19456,t=2,p=1$x$y")).toBe(false);
    expect(isOutdated("$argon2id$v=19$m=4096,t=3,p=1$x$y")).toBe(true);
  });
});

describe("hashes", () => {
  it("run on all cores but one; a short queue waits, and the rest are told to retry", async () => {
    const passwords = createPasswords(3);
    const { served, finish } = holdHashes();
    const all = Array.from({ length: 50 }, () => passwords.hash("correct horse", asker("203.0.113.1")));
    await Promise.resolve();
    expect(served).toHaveLength(2);
    expect(passwords.load()).toBe(42);
    expect(await Promise.all(all.slice(42))).toEqual(Array.from({ length: 8 }, () => busy));
    await finish(42);
    expect(new Set(await Promise.all(all.slice(0, 42)))).toEqual(new Set(["$argon2id$"]));
    expect(passwords.load()).toBe(0);
  });

  it("of a network that fills the queue wait longer: others are admitted first and take its last places", async () => {
    const passwords = createPasswords(2);
    const { served, finish } = holdHashes();
    const flood = Array.from({ length: 25 }, (_, n) => passwords.hash(`flood ${n}`, asker(`2001:db8:1:${n.toString(16)}::/64`)));
    const honest = [passwords.hash("honest 1", asker("203.0.113.1")), passwords.hash("honest 2", asker("203.0.113.2"))];
    const answers = Promise.all([...flood, ...honest]);
    await finish(21);
    const all = await answers;
    expect(all.slice(25)).toEqual(["$argon2id$", "$argon2id$"]);
    // Four found the queue full. The last two of those waiting were evicted.
    expect(all.slice(0, 25).map((answer) => answer === busy)).toEqual(Array.from({ length: 25 }, (_, n) => n > 18));
    expect(served.slice(0, 5)).toEqual(["flood 0", "flood 1", "honest 1", "honest 2", "flood 2"]);
  });

  const minute = 60_000;
  it.each<[string, boolean, readonly (readonly [network: string, passed: number, times: number])[], number]>([
    ["ten hashes just now", true, [["busy", 0, 10]], 0],
    ["nine hashes just now", false, [["busy", 0, 9]], 0],
    ["ten hashes ten minutes ago", true, [["busy", 0, 10]], 10 * minute],
    ["ten hashes almost twenty minutes ago", true, [["busy", 0, 10]], 20 * minute - 1],
    ["ten hashes twenty minutes ago", false, [["busy", 0, 10]], 20 * minute],
    [
      "ten hashes before two intervals with others'",
      false,
      [
        ["busy", 0, 10],
        ["other", 10 * minute, 1],
      ],
      10 * minute,
    ],
    [
      "ten hashes before an interval that others began on time",
      false,
      [
        ["busy", 0, 10],
        ["other", 10 * minute, 1],
        ["other", 9 * minute, 1],
      ],
      6 * minute,
    ],
    [
      "five hashes in each of two intervals",
      true,
      [
        ["busy", 0, 5],
        ["busy", 10 * minute, 5],
      ],
      5 * minute,
    ],
  ])("of a network with %s wait behind another network's: %s", async (_, isLast, tries, passed) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const passwords = createPasswords(2);
    vi.mocked(hash).mockResolvedValue("$argon2id$");
    const login = (network: string): Asker => ({ network: `${network}.example`, as: "login" });
    for (const [network, wait, times] of tries) {
      vi.advanceTimersByTime(wait);
      for (let n = 0; n < times; n++) await passwords.hash("earlier", login(network));
    }
    vi.advanceTimersByTime(passed);
    const { served, finish } = holdHashes();
    const all = ["first", "busy", "calm"].map((network) => passwords.hash(network, login(network)));
    await finish(3);
    await Promise.all(all);
    expect(served).toEqual(isLast ? ["first", "calm", "busy"] : ["first", "busy", "calm"]);
  });

  it("of one account's devices that try over and over, from any network, wait behind a sign-up", async () => {
    const passwords = createPasswords(2);
    const { served, finish } = holdHashes();
    const flood = Array.from({ length: 40 }, (_, n) => passwords.hash(`flood ${n}`, knownAsker(`203.0.${n}.1`, "one account")));
    const honest = [
      passwords.hash("sign-up", asker("198.51.100.1")),
      passwords.hash("known", knownAsker("198.51.100.2", "another account")),
    ];
    const answers = Promise.all([...flood, ...honest]);
    await finish(21);
    expect((await answers).slice(40)).toEqual(["$argon2id$", "$argon2id$"]);
    // The first ten of the flood had not yet tried often. The honest callers took the places of two later ones.
    expect(served.slice(10, 13)).toEqual(["known", "sign-up", "flood 12"]);
  });
});

it("the brand's name with little added counts as a common password", () => {
  const { isCommon } = createPasswords(2);
  expect(["parlando", "Parlando1", "parlando2026!", "mi-parlando", "ParlandoParlando"].map(isCommon)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["parlando casa", "parlando con mi abuela", "hablo-con-todos-9"].map(isCommon)).toEqual([false, false, false]);
});

it("passwords that are frequent in breaches are refused, also far down the list", () => {
  const { isCommon } = createPasswords(2);
  expect(["13101992", "Bassmaster", "november1", "killer21"].map(isCommon)).toEqual([true, true, true, true]);
});

it("the most common passwords are recognized in any case, and an uncommon one is not", () => {
  const { isCommon } = createPasswords(2);
  expect(["password", "Password1", "12345678", "QWERTYUIOP", "iloveyou"].map(isCommon)).toEqual([true, true, true, true, true]);
  expect(["hablo-con-todos-9", "correct horse", "short", "hola-casa-9"].map(isCommon)).toEqual([false, false, false, false]);
});
