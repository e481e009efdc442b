/** Sessions and tokens in edge cases that calls reach only by chance. */
import { insertAccount } from "#test/accounts.ts";
import { createTestStore, createTestWorld, sampledDatabases, type TestWorld } from "#test/app.ts";
import type { Store } from "#server/store/store.ts";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAccessTokens } from "./accessTokens.ts";
import { derivedToken, keysFor } from "../base/keys.ts";
import { linkLife, type LinkPurpose } from "../base/linkLife.ts";
import { createLinks } from "../mail/links.ts";
import { createSessions, type EnteredBy, linkFreshness, livenessTrust, reuseGrace, type Sessions } from "./sessions.ts";

const day = 24 * 60 * 60_000;
const keyOf = (purpose: "access" | "refresh", secret: string) => {
  const [key] = keysFor(purpose, [secret]);
  if (key === undefined) throw new Error("A secret has a key");
  return key;
};

describe.each(sampledDatabases)("sessions on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let account: string;
  /** Another process of the same site. */
  const processWith = (...secrets: readonly string[]): Sessions =>
    createSessions({ store, world, accessTokens: createAccessTokens(secrets), secrets });
  let sessions: Sessions;
  beforeEach(async () => {
    store = await createTestStore(database);
    world = createTestWorld();
    account = await insertAccount(store, world);
    sessions = processWith("old");
  });
  afterEach(() => store.close());
  const start = (enteredBy: EnteredBy = "password", of = sessions) =>
    store.write((queries) => of.start(queries, account, enteredBy, "Firefox"));
  const end = (sessionId: string, of: Sessions) => store.write((queries) => of.end(queries, sessionId, "logout"));

  it("derive the next refresh token with a key of their own, and find it again after a key rotation", async () => {
    const { refreshToken } = await start();
    const next = await sessions.rotate(refreshToken);
    expect(next?.refreshToken).toBe(derivedToken(keyOf("refresh", "old"), refreshToken));
    world.pass(reuseGrace);
    expect((await processWith("new", "old").rotate(refreshToken))?.refreshToken).toBe(next?.refreshToken);
  });

  it("end after a year, however often they are renewed", async () => {
    let { refreshToken } = await start();
    for (let month = 1; month <= 14; month++) {
      world.pass(27 * 24 * 60 * 60 * 1_000);
      const next = await sessions.rotate(refreshToken);
      expect([month, next !== null]).toEqual([month, month * 27 < 365]);
      refreshToken = next?.refreshToken ?? refreshToken;
    }
  });

  it("end when a used token is presented again, with an audit row", async () => {
    const { refreshToken, sessionId } = await start();
    await sessions.rotate(refreshToken);
    world.pass(reuseGrace + 1);
    expect(await sessions.rotate(refreshToken)).toBeNull();
    expect(await store.read.selectFrom("sessions").select(["ended_at", "end_reason"]).execute()).toEqual([
      { ended_at: world.now(), end_reason: "reuse" },
    ]);
    expect(await store.read.selectFrom("audit").select(["kind", "data"]).execute()).toEqual([
      { kind: "refresh token reused", data: JSON.stringify({ sessionId }) },
    ]);
  });

  it("are found by their token, and ended by it only for their own account", async () => {
    const { refreshToken, sessionId } = await start();
    expect([await sessions.sessionOf(refreshToken), await sessions.sessionOf("unknown")]).toEqual([sessionId, null]);
    const endBy = (of: string | null, token: string) => store.write((queries) => sessions.endByToken(queries, of, token, "logout"));
    await endBy(account, "unknown");
    await endBy(await insertAccount(store, world), refreshToken);
    expect(await sessions.isAlive(sessionId)).toBe(true);
    await endBy(account, refreshToken);
    expect(await sessions.isAlive(sessionId)).toBe(false);
    // A login ends the session whose token it sends, whichever account the session belongs to.
    const replaced = await start();
    await endBy(null, replaced.refreshToken);
    expect(await sessions.isAlive(replaced.sessionId)).toBe(false);
  });

  it("are listed with their browser and the times of their start and last renewal, until they end", async () => {
    const [ended, open] = [await start(), await start()];
    await end(ended.sessionId, sessions);
    const startedAt = world.now();
    world.pass(day);
    await sessions.rotate(open.refreshToken);
    expect(await sessions.open(account)).toEqual([{ id: open.sessionId, browser: "Firefox", startedAt, renewedAt: world.now() }]);
  });

  it("are cached as alive for five seconds in a process that did not end them itself", async () => {
    const elsewhere = processWith("old");
    const [first, second] = [await start(), await start()];
    for (const { sessionId } of [first, second]) expect(await sessions.isAlive(sessionId)).toBe(true);
    await end(first.sessionId, elsewhere);
    await end(second.sessionId, sessions);
    world.pass(livenessTrust - 1);
    expect([await sessions.isAlive(first.sessionId), await sessions.isAlive(second.sessionId)]).toEqual([true, false]);
    world.pass(1);
    expect([await sessions.isAlive(first.sessionId), await sessions.isAlive("unknown")]).toEqual([false, false]);
  });

  it("started by a link stand in for the password for fifteen minutes", async () => {
    const [byLink, byPassword] = [await start("link"), await start("password")];
    world.pass(linkFreshness);
    const fresh = (id: string) => sessions.isFreshFromLink(id);
    expect([await fresh(byLink.sessionId), await fresh(byPassword.sessionId), await fresh("unknown")]).toEqual([true, false, false]);
    world.pass(1);
    expect(await fresh(byLink.sessionId)).toBe(false);
  });

  it("are neither fresh nor cached as alive, and accept no used token, after the clock was set back a day", async () => {
    const elsewhere = processWith("old");
    const [byLink, used] = [await start("link"), await start()];
    const next = await sessions.rotate(used.refreshToken);
    for (const { sessionId } of [byLink, used]) expect(await sessions.isAlive(sessionId)).toBe(true);
    await end(byLink.sessionId, elsewhere);
    world.pass(-day);
    expect([await sessions.isFreshFromLink(byLink.sessionId), await sessions.isAlive(byLink.sessionId)]).toEqual([false, false]);
    expect(await sessions.rotate(used.refreshToken)).toBeNull();
    expect(await sessions.rotate(next?.refreshToken ?? "")).toBeNull();
  });

  it("have access tokens that a clock set back does not prolong", async () => {
    const { token, refreshToken } = await start();
    const verify = (of: ReturnType<typeof createAccessTokens>) => of.verify(token, world.now());
    const [remembers, fresh] = [createAccessTokens(["old"]), createAccessTokens(["old"])];
    expect(await verify(remembers)).not.toBeNull();
    // Clocks differ slightly between machines.
    world.pass(-5 * 60_000);
    expect([await verify(remembers), await verify(fresh)]).not.toContain(null);
    world.pass(-1);
    expect([await verify(remembers), await verify(createAccessTokens(["old"]))]).toEqual([null, null]);
    const next = await sessions.rotate(refreshToken);
    expect(await fresh.verify(next?.token ?? "", world.now())).not.toBeNull();
  });

  it("have links with different codes where a code is accepted, and with none when the link's row is gone", async () => {
    const links = createLinks(["secret"], world);
    const owner = { accountUuid: account, email: "a@example.com" };
    const ids = await Promise.all(
      (["login", "confirm", "reset"] as const).map((purpose) => store.write((queries) => links.create(queries, purpose, owner))),
    );
    const codes = await Promise.all(ids.map((id) => links.codeOf(store.read, id)));
    expect(codes).toEqual([expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{6}$/), null]);
    expect(codes[0]).not.toBe(codes[1]);
    for (let n = 0; n < 40; n++) {
      const id = await store.write((queries) => links.create(queries, "login", owner));
      expect(await links.codeOf(store.read, id)).toMatch(/^\d{6}$/);
    }
    expect([await links.codeOf(store.read, "unknown"), await links.tokenOf(store.read, "unknown")]).toEqual([null, null]);
  });

  it("have links that work until they are used, and only for their purpose", async () => {
    const links = createLinks(["secret"], world);
    const { email } = await store.read.selectFrom("accounts").select("email").where("uuid", "=", account).executeTakeFirstOrThrow();
    const id = await store.write((queries) => links.create(queries, "reset", { accountUuid: account, email }));
    const token = (await links.tokenOf(store.read, id)) ?? "";
    const open = () =>
      Promise.all((["reset", "login"] as const).map(async (purpose) => (await links.ownerOf(store.read, purpose, token)) !== null));
    expect(await open()).toEqual([true, false]);
    expect(await store.write((queries) => links.use(queries, "reset", token))).toMatchObject({ accountUuid: account, email });
    expect(await open()).toEqual([false, false]);
    expect(await store.write((queries) => links.use(queries, "reset", token))).toBeNull();
  });

  it("have links that count as waiting for half of their life, one link at a time that keeps a subscription, and some that outlive a new password", async () => {
    const links = createLinks(["secret"], world);
    const { email } = await store.read.selectFrom("accounts").select("email").where("uuid", "=", account).executeTakeFirstOrThrow();
    const owner = { accountUuid: account, email };
    const create = async (purpose: LinkPurpose, of = owner) => {
      const id = await store.write((queries) => links.create(queries, purpose, of));
      return (await links.tokenOf(store.read, id)) ?? "";
    };
    const isOpen = async (purpose: LinkPurpose, token: string) => (await links.ownerOf(store.read, purpose, token)) !== null;
    const isWaiting = () => links.isWaiting(store.read, "reset", owner);
    expect(await isWaiting()).toBe(false);
    const reset = await create("reset");
    world.pass(linkLife.reset / 2 - 1);
    expect(await isWaiting()).toBe(true);
    world.pass(1);
    expect([await isWaiting(), await isOpen("reset", reset)]).toEqual([false, true]);

    const [first, keep] = [await create("keep"), await create("keep")];
    expect([await isOpen("keep", first), await isOpen("keep", keep)]).toEqual([false, true]);

    const elsewhere = { accountUuid: account, email: "new@example.com" };
    const [undo, change, moved] = [await create("undo"), await create("change", elsewhere), await create("reset", elsewhere)];
    expect([await isOpen("change", change), await isOpen("reset", moved)]).toEqual([true, false]);
    await store.write((queries) => links.endAll(queries, account));
    const open = { keep, undo, change, reset };
    const kept = await Promise.all(Object.entries(open).map(([purpose, token]) => isOpen(purpose as LinkPurpose, token)));
    expect(kept).toEqual([true, true, false, false]);
  });

  it("need a key, and so do access tokens and links", () => {
    expect(() => createSessions({ store, world, accessTokens: createAccessTokens(["x"]), secrets: [] })).toThrow(
      "No secret key is configured: refresh tokens cannot be derived",
    );
    expect(() => createAccessTokens([])).toThrow("No secret key is configured: access tokens cannot be signed");
    expect(() => createLinks([], world)).toThrow("No secret key is configured: link tokens cannot be derived");
  });
});

describe("access tokens", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");

  it("are signed with a key of their own", async () => {
    const token = await createAccessTokens(["secret"]).issue({ accountUuid: "a", sessionId: "s" }, now);
    const { payload } = await jwtVerify(token, keyOf("access", "secret"), { currentDate: new Date(now) });
    expect(payload).toMatchObject({ sub: "a", sid: "s" });
    await expect(jwtVerify(token, keyOf("refresh", "secret"), { currentDate: new Date(now) })).rejects.toThrow("signature");
  });

  it("longer than a kilobyte are refused", async () => {
    const tokens = createAccessTokens(["secret"]);
    const lengths = new Map<number, boolean>();
    for (let size = 550; size < 640; size++) {
      const token = await tokens.issue({ accountUuid: "a".repeat(size), sessionId: "s" }, now);
      lengths.set(token.length, (await tokens.verify(token, now)) !== null);
    }
    expect(lengths.size).toBeGreaterThan(1);
    expect(new Set(lengths.values())).toEqual(new Set([true, false]));
    for (const [length, taken] of lengths) expect([length, taken]).toEqual([length, length <= 1_024]);
  });
});
