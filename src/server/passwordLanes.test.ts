/** The order in which waiting passwords are hashed (decision 212). */
import { createTestApp, sampledDatabases } from "#test/app.ts";
import { availableParallelism } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hash, verify } from "./accounts/hashing.ts";

vi.mock(import("./accounts/hashing.ts"), { spy: true });

const strangers = 200;
const workers = Math.max(1, availableParallelism() - 1);
/** As many as run at once and fit into the queue. Any further ones are refused. */
const kept = Math.min(strangers, workers * 21);

afterEach(() => {
  vi.mocked(hash).mockRestore();
  vi.mocked(verify).mockRestore();
});

/** Holds every hash until the test lets it go. `begun` are the passwords in the order in which their hashes began. */
function holdHashes(rightPassword: string) {
  const [begun, held]: [string[], (() => void)[]] = [[], []];
  const hold = (password: string) => {
    begun.push(password);
    return new Promise<void>((resolve) => held.push(resolve));
  };
  vi.mocked(verify).mockImplementation(async (_stored, password) => {
    await hold(password);
    return password === rightPassword;
  });
  vi.mocked(hash).mockImplementation(async (password) => {
    await hold(password);
    return "$argon2id$v=19$m=19456,t=2,p=1$x$y";
  });
  const finish = async () => {
    for (let done = 0; held.length > done; done++) {
      held[done]?.();
      const next = Math.min(done + 1 + workers, kept);
      await expect.poll(() => begun.length).toBeGreaterThanOrEqual(next);
    }
  };
  return { begun, finish };
}

describe.each(sampledDatabases)("with strangers' logins waiting on %s", (database) => {
  it("a known device's login and a sign-up are hashed next, and neither is refused", async () => {
    const t = await createTestApp({ database });
    const person = await t.signUp();
    const { begun, finish } = holdHashes(person.password);
    let sentAway = 0;
    const flood = Array.from({ length: strangers }, async (_, n) => {
      const answer = await t.send("login", { body: { email: `q${n}@example.com`, password: `stranger ${n}` }, from: `198.51.${n}.1` });
      if (answer.statusCode === 503) sentAway++;
      return answer.statusCode;
    });
    await expect.poll(() => [begun.length, sentAway]).toEqual([workers, strangers - kept]);
    const login = t.send("login", {
      body: { email: person.email, password: person.password },
      headers: t.deviceOf(person),
      from: "203.0.113.1",
    });
    const signup = t.send("signup", {
      body: {
        uuid: t.world.uuid(),
        email: "new@example.com",
        password: "a password of hers",
        uiLanguage: "es-419",
        questionnaire: "76",
        version: "v5.7.8",
      },
      from: "203.0.113.2",
    });
    // If the queue was full, the login and the sign-up each took a stranger's place.
    await expect.poll(() => sentAway).toBe(Math.min(strangers, strangers - kept + 2));
    await finish();
    expect(begun.slice(workers, workers + 2)).toEqual([person.password, "a password of hers"]);
    expect([(await login).statusCode, (await signup).statusCode]).toEqual([200, 200]);
    await Promise.all(flood);
    await t.close();
  });
});

describe.each(sampledDatabases)("with strangers' sign-ups waiting on %s", (database) => {
  it("one of a visit that the server has known for a minute is hashed next, and not refused", async () => {
    const t = await createTestApp({ database });
    const headers = { "x-device-id": t.world.uuid() };
    await t.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419" }, headers });
    t.world.pass(60_001);
    const { begun, finish } = holdHashes("");
    const signUp = (n: number, password: string, given: Readonly<Record<string, string>>) =>
      t.send("signup", {
        body: {
          uuid: t.world.uuid(),
          email: `s${n}@example.com`,
          password,
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        },
        headers: given,
        from: `198.51.${n}.1`,
      });
    let sentAway = 0;
    const flood = Array.from({ length: strangers }, async (_, n) => {
      // Their devices have called, too, but not before.
      if ((await signUp(n, `stranger ${n}`, { "x-device-id": t.world.uuid() })).statusCode === 503) sentAway++;
    });
    await expect.poll(() => [begun.length, sentAway]).toEqual([workers, strangers - kept]);
    const visitor = signUp(strangers, "a password of hers", headers);
    await expect.poll(() => sentAway).toBe(Math.min(strangers, strangers - kept + 1));
    await finish();
    expect(begun[workers]).toBe("a password of hers");
    expect((await visitor).statusCode).toBe(200);
    await Promise.all(flood);
    await t.close();
  });
});

describe.each(sampledDatabases)("with guessers' logins waiting on %s", (database) => {
  it("one from a network where many have just logged in is hashed before them, unless one account did so over and over", async () => {
    const wide = { points: 1_000_000, seconds: 60 };
    const t = await createTestApp({ database, settings: { limits: { "login.guesser": wide, "signup.network": wide } } });
    const people = [];
    for (let n = 0; n < 13; n++) people.push(await t.signUp());
    const [newest, owner] = [people.pop(), people[0]];
    if (newest === undefined || owner === undefined) throw new Error("Nobody signed up");
    const right = newest.password;
    // Hashing takes no time.
    vi.mocked(verify).mockImplementation(async (_stored, password) => password === right);
    const logIn = (email: string, password: string, from: string) => t.send("login", { body: { email, password }, from });
    const guessers = Array.from({ length: workers * 21 + 3 }, (_, n) => `198.51.${n}.1`);
    for (const [n, from] of guessers.entries())
      for (let guess = 0; guess < 10; guess++) await logIn(`g${n}@example.com`, `guess ${guess}`, from);
    const [office, lonely] = ["203.0.113.1", "203.0.113.2"];
    for (const { email } of people) expect((await logIn(email, right, office)).statusCode).toBe(200);
    for (let time = 0; time < 20; time++) expect((await logIn(owner.email, right, lonely)).statusCode).toBe(200);

    const { begun, finish } = holdHashes(right);
    let sentAway = 0;
    const flood = guessers.map(async (from, n) => {
      if ((await logIn(`g${n}@example.com`, "another guess", from)).statusCode === 503) sentAway++;
    });
    // The queue is full.
    await expect.poll(() => [begun.length, sentAway]).toEqual([workers, 3]);
    expect((await logIn(owner.email, "once more", lonely)).statusCode).toBe(503);
    const colleague = logIn(newest.email, right, office);
    await expect.poll(() => sentAway).toBe(4);
    await finish();
    expect(begun[workers]).toBe(right);
    expect((await colleague).statusCode).toBe(200);
    await Promise.all(flood);
    await t.close();
  });
});
