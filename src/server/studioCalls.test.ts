/** Access to the studio: who may make which call, from where, and for how long. */
import { firstLink } from "#server/studio/operators/first.ts";
import { createOperatorLink, operatorTokens } from "#server/studio/operators/links.ts";
import { addOperator, hasOperators } from "#server/studio/operators/operators.ts";
import { asksForFreshSession, isStudioKey, studioCalls } from "#studio/contract.ts";
import { mayAs, type Role, roles, type StudioCall } from "#studio/contract/call.ts";
import { createTestApp, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { newPasskey } from "#test/passkeys.ts";
import { watchStatements } from "#test/statements.ts";
import { sendStudioCall, signInOperator, studioCookieOf } from "#test/studio.ts";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const minute = 60_000;
const hour = 60 * minute;
const keys = Object.keys(studioCalls).filter(isStudioKey);
const guarded = keys.flatMap((key) => {
  const { role }: StudioCall = studioCalls[key];
  return role === "anyone" ? [] : [{ key, role }];
});
const codeOf = (answer: { readonly body: string }): unknown => {
  const body: unknown = JSON.parse(answer.body);
  return typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
};

describe.each(sampledDatabases)("the studio's access (%s)", (database) => {
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database });
  });
  afterEach(() => t.close());

  const operatorOf = (role: Role) =>
    t.store.write((queries) => addOperator(queries, t.world, { email: `${role}@team.example`, name: "Ines", role }, null));
  async function linkFor(role: Role, purpose: "invitation" | "sign-in" = "sign-in") {
    return t.store.write(async (queries) => {
      const operator = await addOperator(queries, t.world, { email: `${role}@team.example`, name: "Ines", role }, null);
      const link = await createOperatorLink(queries, t.world, testSettings().secretKeys, { purpose, operatorId: operator.id });
      return { operator, token: link.token };
    });
  }

  const linkMailRows = () =>
    t.store.read
      .selectFrom("mail_outbox")
      .select(["recipient", "data"])
      .where("template", "=", "operatorLink")
      .orderBy("created_at")
      .execute();
  const linkMails = async () => (await linkMailRows()).map(({ recipient }) => recipient);
  /** The token in the latest mail. */
  async function mailedToken() {
    const { linkId } = JSON.parse((await linkMailRows()).at(-1)?.data ?? "{}");
    return operatorTokens(testSettings().secretKeys).of(linkId);
  }

  it("allows each call to its role and higher ones, but not to lower roles or without a session", async () => {
    const clients = new Map<Role, Awaited<ReturnType<typeof signInOperator>>>();
    for (const role of roles) clients.set(role, await signInOperator(t, role));
    for (const { key, role } of guarded) {
      expect([key, codeOf(await sendStudioCall(t, key))]).toEqual([key, 1002]);
      expect([key, codeOf(await sendStudioCall(t, key, { cookie: `parlando-studio=${"a".repeat(43)}` }))]).toEqual([key, 1002]);
      for (const [as, client] of clients) {
        if (key === "signOut") continue;
        // All fields are invalid: a caller with the right role is refused for the input, not for the role.
        const code = codeOf(await client.send(key, { id: "no", limit: "no" }));
        expect([key, as, code === 1403]).toEqual([key, as, !mayAs(as, role)]);
        if (mayAs(as, role)) expect([key, as, code]).not.toEqual([key, as, 1002]);
      }
    }
  });

  it("refuses calls from another site, and changes without an origin", async () => {
    const admin = await signInOperator(t, "admin");
    for (const key of keys) {
      const refused = async (headers: Readonly<Record<string, string>>) =>
        codeOf(await sendStudioCall(t, key, { cookie: admin.cookie, headers }));
      expect([key, await refused({ "sec-fetch-site": "cross-site" })]).toEqual([key, 1403]);
      expect([key, await refused({ "sec-fetch-site": "same-site" })]).toEqual([key, 1403]);
      expect([key, await refused({ origin: "https://evil.example" })]).toEqual([key, 1403]);
      if (studioCalls[key].method === "GET") continue;
      expect([key, await refused({ origin: "null" })]).toEqual([key, 1403]);
      const silent = await t.app.inject({ method: "POST", url: `/studio/api/${key}`, headers: { cookie: admin.cookie }, payload: {} });
      expect([key, codeOf(silent)]).toEqual([key, 1403]);
    }
    expect(codeOf(await admin.send("me"))).toBeUndefined();
  });

  it("answers only the methods and addresses of its contract", async () => {
    const { cookie } = await signInOperator(t, "admin");
    const ask = (method: "GET" | "POST" | "DELETE" | "HEAD", path: string) =>
      t.app.inject({ method, url: `/studio/api/${path}`, headers: { cookie, origin: "https://parlando.example" } });
    for (const [method, path] of [
      ["GET", "signOut"],
      ["DELETE", "me"],
      ["GET", "nothing"],
      ["GET", "constructor"],
      ["GET", ""],
    ] as const)
      expect([path, (await ask(method, path)).statusCode]).toEqual([path, 404]);
  });

  it("is opened once by a link, with a cookie that no script can read and no other site sends", async () => {
    const { token, operator } = await linkFor("support");
    expect(codeOf(await sendStudioCall(t, "linkOwner", { input: { token } }))).toBeUndefined();
    const answers = await Promise.all([1, 2, 3].map(() => sendStudioCall(t, "enterByLink", { input: { token } })));
    const entered = answers.filter(({ statusCode }) => statusCode === 200);
    expect(entered).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 1004)).toHaveLength(2);
    expect(entered[0]?.headers["set-cookie"]).toMatch(/^parlando-studio=[\w-]{43}; Path=\/studio; HttpOnly; SameSite=Strict; Secure$/);
    expect(entered[0]?.json()).toEqual({ id: operator.id, email: operator.email, name: "Ines", role: "support" });
  });

  it("is not opened by a link that is old, replaced, or belongs to a removed operator", async () => {
    const { token: old } = await linkFor("support");
    t.world.pass(15 * minute);
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token: old } }))).toBe(1004);
    const { token: replaced } = await linkFor("support", "invitation");
    const { token, operator } = await linkFor("support", "invitation");
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token: replaced } }))).toBe(1004);
    const admin = await signInOperator(t, "admin");
    await admin.call("operatorRemove", { id: operator.id, reason: "has left" });
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token } }))).toBe(1004);
  });

  it("makes the first operator an admin, and no later one", async () => {
    const parts = { store: t.store, world: t.world, settings: testSettings() };
    const earlier = (await firstLink(parts))?.split("#")[1];
    const token = (await firstLink(parts))?.split("#")[1];
    const me = { email: "Ines@Team.example", name: "Ines Roth" };
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token: earlier, ...me } }))).toBe(1004);
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token } }))).toBe(1000);
    const entered = await sendStudioCall(t, "enterByLink", { input: { token, ...me } });
    expect(entered.json()).toMatchObject({ email: "ines@team.example", role: "admin" });
    expect(await hasOperators(t.store.read)).toBe(true);
    expect(await firstLink(parts)).toBeNull();
  });

  it("gives a new session on signing in and ends the browser's old one", async () => {
    const before = await signInOperator(t, "viewer");
    const { token } = await linkFor("admin");
    const planted = `parlando-studio=${"f".repeat(43)}`;
    for (const cookie of [planted, before.cookie]) {
      const link = cookie === planted ? token : (await linkFor("admin")).token;
      const entered = await sendStudioCall(t, "enterByLink", { input: { token: link }, cookie });
      expect(studioCookieOf(entered)).not.toBe(cookie);
      expect(codeOf(await sendStudioCall(t, "me", { cookie }))).toBe(1002);
      expect(codeOf(await sendStudioCall(t, "me", { cookie: studioCookieOf(entered) }))).toBeUndefined();
    }
  });

  it("does not read a body sent without a session", async () => {
    const csv = "x".repeat(300_000);
    for (const cookie of [undefined, `parlando-studio=${"a".repeat(43)}`])
      expect(
        codeOf(await sendStudioCall(t, "ratesImport", { input: { csv, source: "ECB" }, ...(cookie === undefined ? {} : { cookie }) })),
      ).toBe(1002);
    expect(codeOf(await sendStudioCall(t, "signInLink", { input: { email: csv } }))).toBe(1413);
    const admin = await signInOperator(t, "admin");
    expect(codeOf(await admin.send("ratesImport", { csv, source: "ECB" }))).toBe(1000);
  });

  it("limits made-up links, but not valid ones", async () => {
    const { token } = await linkFor("support");
    for (let n = 0; n < 30; n++) {
      const input = { token: `${n}`.padStart(43, "a") };
      expect(codeOf(await sendStudioCall(t, "enterByLink", { input }))).toBe(1004);
    }
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token: "a".repeat(43) } }))).toBe(1429);
    expect(codeOf(await sendStudioCall(t, "linkOwner", { input: { token } }))).toBeUndefined();
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token } }))).toBeUndefined();
    expect(codeOf(await sendStudioCall(t, "linkOwner", { input: { token } }))).toBe(1429);
  });

  it("lets a browser in which an operator has been signed in try each way, when a stranger has used up their network's tries", async () => {
    const [support, viewer] = [await signInOperator(t, "support"), await signInOperator(t, "viewer")];
    const passkeyWith = async (cookie: string) => codeOf(await sendStudioCall(t, "passkeyWanted", { input: {}, cookie }));
    t.world.pass(12 * hour);
    const ways = {
      passkeyWanted: {},
      enterByPasskey: { challenge: randomUUID(), credential: { id: "a", type: "public-key" } },
      companyWanted: {},
      signInLink: { email: support.email },
      enterByLink: { token: "a".repeat(43) },
    };
    for (const [key, input] of Object.entries(ways)) {
      for (let n = 0; n < 31; n++) await sendStudioCall(t, key, { input });
      expect([key, codeOf(await sendStudioCall(t, key, { input }))]).toEqual([key, 1429]);
      expect([key, codeOf(await sendStudioCall(t, key, { input, cookie: support.cookie }))]).not.toEqual([key, 1429]);
    }
    // They have tries of their own, not endless ones.
    for (let n = 0; n < 30; n++) await support.send("enterByLink", { token: "a".repeat(43) });
    expect(codeOf(await support.send("enterByLink", { token: "a".repeat(43) }))).toBe(1429);
    expect(await passkeyWith(viewer.cookie)).toBeUndefined();
    await t.store.write((queries) =>
      queries.updateTable("operators").set({ removed_at: t.world.now() }).where("id", "=", viewer.id).execute(),
    );
    expect(await passkeyWith(viewer.cookie)).toBe(1429);
  });

  it("mails links to operators only, five an hour per network, with the same answer for everybody", async () => {
    const operator = await operatorOf("support");
    for (let n = 0; n < 7; n++) {
      for (const email of [operator.email, "stranger@example.com"])
        expect((await sendStudioCall(t, "signInLink", { input: { email } })).body).toBe("{}");
      t.world.pass(minute);
    }
    expect(await linkMails()).toEqual(Array.from({ length: 5 }, () => operator.email));
  });

  it("stays open while strangers request links: an operator without a link is always mailed one", async () => {
    const operator = await operatorOf("support");
    const ask = (network: number) =>
      sendStudioCall(t, "signInLink", { input: { email: operator.email }, remoteAddress: `10.9.${network}.1` });
    const opens = async (token: string) => codeOf(await sendStudioCall(t, "linkOwner", { input: { token } })) === undefined;
    let network = 0;
    await ask(network);
    const own = await mailedToken();
    // Requests within a minute cause one mail, however many arrive at once.
    await Promise.all(Array.from({ length: 8 }, () => ask((network += 1))));
    expect(await linkMails()).toHaveLength(1);
    t.world.pass(minute - 1);
    await ask((network += 1));
    expect(await linkMails()).toHaveLength(1);
    t.world.pass(1);
    const tokens = [own];
    for (; network < 40; t.world.pass(minute)) {
      const before = (await linkMails()).length;
      await Promise.all([ask((network += 1)), ask((network += 1))]);
      const mailed = (await linkMails()).length - before;
      expect(mailed).toBeLessThanOrEqual(1);
      if (mailed === 1) tokens.push(await mailedToken());
      // Of many links, the last three work.
      if (tokens.length === 3) expect(await opens(own)).toBe(true);
      if (tokens.length === 4) expect(await Promise.all(tokens.map(opens))).toEqual([false, true, true, true]);
    }
    const mails = (await linkMails()).length;
    expect(mails).toBeLessThanOrEqual(20);
    t.world.pass(11 * minute);
    await ask(0);
    expect(await linkMails()).toHaveLength(mails + 1);
    const last = await mailedToken();
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token: last } }))).toBeUndefined();
    // After signing in, the other links no longer work.
    for (const token of tokens) expect(await opens(token)).toBe(false);
  });

  it("counts each way in separately: a network that has used up its links can still use passkeys", async () => {
    const junk = {
      linkOwner: { token: "a".repeat(43) },
      passkeyWanted: {},
      companyWanted: {},
      signInLink: { email: "stranger@example.com" },
    };
    const ways = Object.entries(junk);
    for (const [flooded, input] of ways) {
      const remoteAddress = `10.8.${flooded.length}.${flooded.charCodeAt(0)}`;
      for (let n = 0; n < 30; n++) expect(codeOf(await sendStudioCall(t, flooded, { input, remoteAddress }))).not.toBe(1429);
      for (const [key, asked] of ways)
        expect([flooded, key, codeOf(await sendStudioCall(t, key, { input: asked, remoteAddress })) === 1429]).toEqual([
          flooded,
          key,
          key === flooded,
        ]);
    }
  });

  it("lets nobody in by a link that was made with a key that has been removed", async () => {
    const [old = ""] = testSettings().secretKeys;
    const fresh = "another-key-for-tests-that-is-long-enough";
    const email = "invited@team.example";
    const { token } = await t.store.write(async (queries) => {
      const { id } = await addOperator(queries, t.world, { email, name: "Invited", role: "admin" }, null);
      return createOperatorLink(queries, t.world, [old], { purpose: "invitation", operatorId: id });
    });
    const opens = async (...secretKeys: readonly [string, ...string[]]) => {
      const own = await createTestApp({ database, store: t.store, settings: { secretKeys } });
      const answers = [
        await sendStudioCall(own, "linkOwner", { input: { token } }),
        await sendStudioCall(own, "enterByLink", { input: { token } }),
      ];
      await own.app.close();
      return answers.map(codeOf);
    };
    expect(await opens(fresh)).toEqual([1004, 1004]);
    expect(await opens(fresh, old)).toEqual([undefined, undefined]);
  });

  it("finds expired challenges by an index: anybody may ask for a new one", async () => {
    const watched = watchStatements();
    const own = await createTestApp({ database });
    await sendStudioCall(own, "passkeyWanted", { input: {} });
    own.world.pass(5 * minute + 1);
    await sendStudioCall(own, "passkeyWanted", { input: {} });
    const deleting = watched.seen.filter(({ sql: text }) => /delete from .operator_challenges/i.test(text));
    expect(deleting.map(({ rows }) => rows)).toEqual([0, 1]);
    // PostgreSQL chooses by the number of rows.
    if (database === "sqlite") {
      const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${deleting[0]?.sql}`)}`.execute(own.store.read);
      expect(plan.rows.map(({ detail }) => detail)).toEqual([expect.stringContaining("INDEX operator_challenges_by_expiry")]);
    }
    await own.close();
  });

  it("keeps one of two admins who remove each other at once", async () => {
    for (let n = 0; n < 5; n++) {
      const [one, other] = [await signInOperator(t, "admin"), await signInOperator(t, "admin")];
      const answers = await Promise.all([
        one.send("operatorRemove", { id: other.id, reason: "has left" }),
        other.send("operatorRemove", { id: one.id, reason: "has left" }),
      ]);
      // The other one is no longer an operator: its session or its role ended first.
      expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
    }
  });

  it("ends on signing out, by an admin, or with the operator", async () => {
    const admin = await signInOperator(t, "admin");
    const out = async (client: { readonly cookie: string }) => codeOf(await sendStudioCall(t, "me", { cookie: client.cookie }));
    const [leaving, ended, removed] = [
      await signInOperator(t, "viewer"),
      await signInOperator(t, "viewer"),
      await signInOperator(t, "viewer"),
    ];
    const left = await leaving.send("signOut");
    expect(left.headers["set-cookie"]).toContain("Max-Age=0");
    await admin.call("operatorSessionsEnd", { id: ended.id, reason: "lost laptop" });
    await admin.call("operatorRemove", { id: removed.id, reason: "has left" });
    for (const client of [leaving, ended, removed]) expect(await out(client)).toBe(1002);
    expect(await out(admin)).toBeUndefined();
  });

  it("ends after 12 hours without a call, and after a week in any case", async () => {
    const client = await signInOperator(t, "viewer");
    t.world.pass(12 * hour - 1);
    expect(codeOf(await client.send("me"))).toBeUndefined();
    t.world.pass(12 * hour);
    expect(codeOf(await client.send("me"))).toBe(1002);

    const busy = await signInOperator(t, "viewer");
    for (let n = 0; n < 15; n++) {
      t.world.pass(11 * hour);
      expect(codeOf(await busy.send("me"))).toBeUndefined();
    }
    t.world.pass(3 * hour);
    expect(codeOf(await busy.send("me"))).toBe(1002);
  });

  it("requires signing in again after 15 minutes without a call, for persons, money and operators", async () => {
    expect(keys.filter(asksForFreshSession)).toEqual(
      expect.arrayContaining(["operators", "outbox", "outboxEntry", "alertChannelSet", "money"]),
    );
    const admin = await signInOperator(t, "admin");
    for (let n = 0; n < 3; n++) {
      t.world.pass(14 * minute);
      expect(codeOf(await admin.send("operators"))).toBeUndefined();
    }
    // Calls that the page makes by itself do not prolong the session.
    t.world.pass(8 * minute);
    await admin.send("me", {}, { "x-by-itself": "1" });
    t.world.pass(7 * minute);
    expect(await admin.refusal("operators")).toMatchObject({ code: 1002, fields: { session: "stale" } });
    expect(codeOf(await admin.send("me"))).toBeUndefined();
    expect(await admin.refusal("operators")).toMatchObject({ code: 1002, fields: { session: "stale" } });
  });

  it("does not let somebody at an unattended browser add a passkey", async () => {
    const left = await signInOperator(t, "viewer");
    const { challenge } = await left.call("passkeyOffered", {});
    t.world.pass(16 * minute);
    const credential = { id: "AA", type: "public-key" };
    for (const [key, input] of [
      ["passkeyOffered", {}],
      ["passkeyAdd", { challenge, credential, name: "Mine" }],
      ["passkeyRemove", { id: "AA" }],
    ] as const)
      expect([key, await left.refusal(key, input)]).toMatchObject([key, { code: 1002, fields: { session: "stale" } }]);
  });

  it("mails operators when a passkey of theirs was added or removed, and only then", async () => {
    const one = await signInOperator(t, "viewer");
    const other = await signInOperator(t, "admin");
    const told = async () =>
      (await t.store.read.selectFrom("mail_outbox").select(["recipient", "data"]).where("template", "=", "operatorPasskey").execute()).map(
        ({ recipient, data }) => [recipient, v.parse(v.object({ done: v.string(), name: v.string() }), JSON.parse(data))],
      );
    const { challenge, options } = await one.call("passkeyOffered", {});
    const credential = newPasskey(String(options["challenge"]), testSettings().publicUrl);
    expect(codeOf(await one.send("passkeyAdd", { challenge: randomUUID(), credential, name: "Laptop" }))).toBe(1004);
    expect(await told()).toEqual([]);
    await one.call("passkeyAdd", { challenge, credential, name: "Laptop" });
    expect(await told()).toEqual([[one.email, { done: "added", name: "Laptop" }]]);
    expect(codeOf(await other.send("passkeyRemove", { id: credential.id }))).toBe(1404);
    expect(await told()).toHaveLength(1);
    await one.call("passkeyRemove", { id: credential.id });
    expect(new Set(await told())).toEqual(new Set(["added", "removed"].map((done) => [one.email, { done, name: "Laptop" }])));
  });

  it("refuses a passkey whose id is another's, which still opens the studio for its owner only", async () => {
    const [one, other] = [await signInOperator(t, "viewer"), await signInOperator(t, "admin")];
    const passkey = newPasskey("", testSettings().publicUrl);
    for (const [operator, code] of [
      [one, undefined],
      [other, 1004],
    ] as const) {
      const { challenge, options } = await operator.call("passkeyOffered", {});
      const credential = newPasskey(String(options["challenge"]), testSettings().publicUrl, passkey.id);
      expect(codeOf(await operator.send("passkeyAdd", { challenge, credential, name: "Laptop" }))).toBe(code);
    }
    expect((await other.call("myAccess", {})).passkeys).toEqual([]);
    expect((await one.call("myAccess", {})).passkeys).toHaveLength(1);
  });

  it("an operator who comes back has nothing of before, not even what was stored while they were removed", async () => {
    const admin = await signInOperator(t, "admin");
    const { operator, token } = await linkFor("viewer", "invitation");
    await t.store.write((queries) =>
      queries.updateTable("operators").set({ removed_at: t.world.now() }).where("id", "=", operator.id).execute(),
    );
    await t.store.write((queries) =>
      queries
        .insertInto("operator_passkeys")
        .values({
          id: "late",
          public_key: "",
          counter: 0,
          transports: "[]",
          operator_id: operator.id,
          name: "Late",
          created_at: t.world.now(),
          used_at: null,
        })
        .execute(),
    );
    await admin.call("operatorInvite", { email: operator.email, name: operator.name, role: "viewer" });
    expect(codeOf(await sendStudioCall(t, "enterByLink", { input: { token } }))).toBe(1004);
    const entered = await sendStudioCall(t, "enterByLink", { input: { token: await mailedToken() } });
    const cookie = studioCookieOf(entered);
    expect(JSON.parse((await sendStudioCall(t, "myAccess", { cookie })).body)).toMatchObject({
      passkeys: [],
      sessions: [{ isThis: true }],
    });
  });

  it("records each action, with before, after and reason, and lets nobody change themselves", async () => {
    const admin = await signInOperator(t, "admin");
    const other = await signInOperator(t, "viewer");
    await admin.call("operatorChange", { id: other.id, role: "support", reason: "helps customers now" });
    expect((await other.call("me", {})).operator.role).toBe("support");
    const { rows } = await admin.call("audit", { action: "role changed" });
    expect(rows).toMatchObject([
      {
        operator: admin.name,
        subject: `operator ${other.name}`,
        before: { role: "viewer" },
        after: { role: "support" },
        reason: "helps customers now",
      },
    ]);
    for (const key of ["operatorChange", "operatorRemove"] as const)
      expect(await admin.refusal(key, { id: admin.id, role: "viewer", reason: "by mistake" })).toMatchObject({ code: 1403 });
    expect(await admin.refusal("operatorChange", { id: other.id, role: "viewer", reason: "" })).toMatchObject({ code: 1000 });
    const all = await admin.call("audit", {});
    const first = await admin.call("audit", { limit: "2" });
    const rest = await admin.call("audit", { after: first.next ?? "" });
    expect([...first.rows, ...rest.rows]).toEqual(all.rows);
  });

  it("shows operators only their own sessions, and ends no other", async () => {
    const one = await signInOperator(t, "viewer");
    const other = await signInOperator(t, "viewer");
    const { sessions } = await one.call("myAccess", {});
    expect(sessions).toMatchObject([{ enteredBy: "link", isThis: true }]);
    expect(await other.refusal("mySessionEnd", { id: sessions[0]?.id })).toMatchObject({ code: 1404 });
    await one.call("mySessionEnd", { id: sessions[0]?.id ?? "" });
    expect(codeOf(await one.send("me"))).toBe(1002);
  });

  it("removes a person from the audit when they are erased", async () => {
    const { recordAction } = await import("#server/studio/audit.ts");
    const person = await t.signUp();
    await t.store.write((queries) =>
      recordAction(queries, t.world, {
        operator: null,
        action: "address corrected",
        subject: "account",
        accountUuid: person.uuid,
        before: { email: person.email },
      }),
    );
    const { token } = await t.logIn(person);
    await t.call("accountErase", { token, body: { password: person.password } });
    await t.erased();
    const rows = await t.store.read.selectFrom("operator_audit").selectAll().execute();
    expect(rows).toMatchObject([{ action: "address corrected", account_uuid: null, before_values: null }]);
  });
});

describe("the studio's page", () => {
  it("is the same at every address of the studio, never cached, never framed, and without foreign scripts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlando-studio-"));
    mkdirSync(join(folder, "studio"));
    writeFileSync(join(folder, "studio/index.html"), "<!doctype html><title>Studio</title>");
    const t = await createTestApp({ database: "sqlite", parts: { buildDir: folder } });
    for (const url of ["/studio", "/studio/", "/studio/people/1?x=1"]) {
      const { statusCode, body, headers } = await t.app.inject({ url });
      expect([url, statusCode, body]).toEqual([url, 200, "<!doctype html><title>Studio</title>"]);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "x-content-type-options": "nosniff",
      });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/https?:/);
    }
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
