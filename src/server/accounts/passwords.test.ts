/** Whether an address has an account must not show in the work a refused login makes; the time itself is a long test's (test/long/loginTiming.test.ts). */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hash, verify } from "./hashing.ts";
import { busy, createPasswords } from "./passwords.ts";

vi.mock("./hashing.ts", { spy: true });
beforeEach(() => void vi.clearAllMocks());

describe("a password that is compared", () => {
  it("is hashed once with the same cost whether the account has another one, none, or does not exist", async () => {
    const passwords = createPasswords(2);
    const stored = await passwords.hash("correct horse");
    if (stored === busy) throw new Error("The queue is empty");
    for (const given of [stored, null]) {
      vi.mocked(verify).mockClear();
      expect(await passwords.matches(given, "wrong horse")).toBe(false);
      expect(vi.mocked(verify)).toHaveBeenCalledOnce();
      expect(String(vi.mocked(verify).mock.calls[0]?.[0])).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    expect(await passwords.matches(stored, "correct horse")).toBe(true);
  });

  it("is hashed anew when its cost is not today's", () => {
    const { isOutdated } = createPasswords(2);
    expect(isOutdated("$argon2id$v=19$m=19456,t=2,p=1$x$y")).toBe(false);
    expect(isOutdated("$argon2id$v=19$m=4096,t=3,p=1$x$y")).toBe(true);
  });
});

describe("hashes", () => {
  it("run at most one fewer than there are cores, a short queue waits, and the rest is told to come again", async () => {
    const passwords = createPasswords(3);
    const held: (() => void)[] = [];
    vi.mocked(hash).mockImplementation(() => new Promise((resolve) => held.push(() => resolve("$argon2id$"))));
    const all = Array.from({ length: 50 }, () => passwords.hash("correct horse"));
    await Promise.resolve();
    expect(held).toHaveLength(2);
    expect(passwords.load()).toBe(42);
    expect(await Promise.all(all.slice(42))).toEqual(Array.from({ length: 8 }, () => busy));
    for (let done = 0; done < 42; done++) {
      await expect.poll(() => held.length).toBeGreaterThan(done);
      held[done]?.();
    }
    expect(new Set(await Promise.all(all.slice(0, 42)))).toEqual(new Set(["$argon2id$"]));
    expect(passwords.load()).toBe(0);
  });
});

it("the commonest passwords are known whatever their case, and an uncommon one is not", () => {
  const { isCommon } = createPasswords(2);
  expect(["password", "Password1", "12345678", "QWERTYUIOP", "iloveyou"].map(isCommon)).toEqual([true, true, true, true, true]);
  expect(["hablo-con-todos-9", "correct horse", "short"].map(isCommon)).toEqual([false, false, false]);
});
