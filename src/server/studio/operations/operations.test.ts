/** The operations screen's calls, and the alerts to operators. */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { PermanentMailFailure } from "#server/mail/transport.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { createTestApp, createTestStore, sampledDatabases, type TestApp } from "#test/app.ts";
import { type PaymentBed, paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import { signInOperator, type StudioClient } from "#test/studio.ts";
import Fastify, { type FastifyInstance } from "fastify";
import { sql } from "kysely";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWatch, type Watch } from "./watch.ts";

const minute = 60_000;
const hour = 60 * minute;
const reason = "it should work now";
const silent = { warn: () => undefined, error: () => undefined };

/** Indexes of unfinished rows, which are few. These may be scanned. */
const ofOpen =
  "(?:mail_outbox_(?:by_lane|given_up|with_error)|provider_events_(?:waiting|failed|due)|payment_duties_(?:due|due_at|given_up)|conversions_(?:refused|waiting))\\b";

describe.each(sampledDatabases)("the studio's operations (%s)", (database) => {
  let t: TestApp;
  let bed: PaymentBed;
  let watch: Watch;
  let newWatch: () => Watch;
  let admin: StudioClient;
  /** The mails sent. */
  let sent: { readonly to: string; readonly subject: string }[];
  let mailFails: "no" | "for now" | "for good";
  let sendMails: () => Promise<void>;
  beforeEach(async () => {
    const store = await createTestStore(database);
    bed = await paymentBed(store);
    sent = [];
    mailFails = "no";
    let woken: () => void = () => undefined;
    t = await createTestApp({
      database,
      store,
      settings: { limits: { "report-error.network": { points: 3, seconds: 60 } } },
      parts: ({ world }) => {
        newWatch = () =>
          createWatch({ store, world, payments: bed.payments, fetch, log: silent, onMail: () => woken(), code: "5.7.8", content: "abc" });
        watch = newWatch();
        return { payments: bed.payments, watch, mail: { wake: () => woken(), covered: async () => null } };
      },
    });
    const mailer = createMailer({
      store,
      world: t.world,
      publicUrl: "https://parlando.example",
      namedBackend: null,
      mailFrom: "a@parlando.example",
      links: { tokenOf: async () => "token", codeOf: async () => null, studioAddressOf: async () => null },
      renderMail: async (template) => ({ subject: template, html: "", text: "", attachments: [] }),
      transport: {
        send: async ({ to, subject }) => {
          if (mailFails === "for good") throw new PermanentMailFailure("550 no such mailbox");
          if (mailFails === "for now") throw new Error("the server is away");
          sent.push({ to, subject });
        },
        close: () => undefined,
      },
      log: silent,
    });
    woken = mailer.wake;
    sendMails = async () => {
      mailer.wake();
      await mailer.settled();
    };
    admin = await signInOperator(t, "admin");
  });
  afterEach(async () => {
    await bed.close();
    await t.close();
  });
  const pass = async (ms: number) => {
    t.world.pass(ms);
    bed.clock.now += ms;
    admin = await signInOperator(t, "admin");
  };
  const queue = () =>
    t.store.write((queries) =>
      queueMail(queries, t.world, {
        accountUuid: null,
        template: "loginLink",
        locale: "es-419",
        recipient: "ana@example.com",
        data: { firstname: "Ana", linkId: "secret-link", target: null, discount: null },
      }),
    );
  const box = async (name: string) => (await admin.call("operations", {})).boxes.find((each) => each.box === name);

  it.runIf(database === "sqlite")(
    "show mails, webhooks, duties and conversions by indexes alone: there are very many, and the screen asks every ten seconds",
    async () => {
      const watched = watchStatements();
      await admin.call("operations", {});
      const ofMany = ["mail_outbox", "provider_events", "payment_duties", "conversions"];
      for (const table of ofMany) {
        const texts = [...new Set(watched.seen.map((one) => one.sql))].filter((text) => text.includes(table));
        expect([table, texts.length > 0]).toEqual([table, true]);
        for (const text of texts) {
          const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
          const whole = new RegExp(`SCAN ${table}(?! USING (?:COVERING )?INDEX ${ofOpen})`);
          expect([text, plan.rows.filter(({ detail }) => whole.test(detail))]).toEqual([text, []]);
        }
      }
    },
  );

  it("show and retry one entry by its id's parts, whose last one may have spaces, and never read all entries for it", async () => {
    const duty = { payment_provider: "paddlebilling", order_id: null, reason: "its term ends", created_at: 1, attempts: 40, done_at: null };
    const given = { ...duty, kind: "refund", subject: "txn 1 2026-12-01", next_attempt_at: null, error: "Paddle refused" };
    await t.store.write((queries) => queries.insertInto("payment_duties").values(given).execute());
    const watched = watchStatements();
    const id = "paddlebilling refund txn 1 2026-12-01";
    expect(await admin.call("outboxEntry", { box: "duties", id })).toMatchObject({ id, subject: "txn 1 2026-12-01", state: "failed" });
    expect(await admin.call("outboxRetry", { box: "duties", id, reason })).toEqual({ retried: true });
    for (const box of ["mail", "conversions", "webhooks", "duties", "erasures", "alerts", "journeys"] as const)
      for (const unknown of ["nobody's", "paddlebilling refund txn", "1 2 3 4", "7", "9".repeat(30)])
        expect((await admin.refusal("outboxEntry", { box, id: unknown })).code).toBe(1404);
    if (database !== "sqlite") return;
    for (const text of new Set(
      watched.seen.map((one) => one.sql).filter((one) => /payment_duties|provider_events|conversions/.test(one)),
    )) {
      if (!text.includes("AS waits")) continue;
      const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
      expect([text, plan.rows.filter(({ detail }) => detail.startsWith("SCAN"))]).toEqual([text, []]);
    }
  });

  it("forget errors after ninety days, in one write those of a cause on a day: anybody can have made up very many", async () => {
    const day = (ago: number) => new Date(t.world.now() - ago * 24 * hour).toISOString().slice(0, 10);
    const counted = (cause: string, ago: number) =>
      Array.from({ length: 300 }, (_, n) => ({
        cause,
        day: day(ago),
        app_version: `v${n}`,
        browser: "",
        route: "",
        questionnaire: "",
        count: 1,
      }));
    const rows = [counted("one", 91), counted("one", 92), counted("other", 91), counted("one", 89)];
    const watched = watchStatements();
    for (const some of rows) await t.store.write((queries) => queries.insertInto("client_error_counts").values(some).execute());
    watched.clear();
    await watch.round();
    const deleted = watched.seen.filter((one) => /^delete from .client_error_counts/i.test(one.sql)).map((one) => one.rows);
    expect(deleted).toEqual([300, 300, 300]);
    expect(await t.store.read.selectFrom("client_error_counts").select("day").distinct().execute()).toEqual([{ day: day(89) }]);
  });

  it("shows a mail that was given up, with its secrets masked, and sends it again once", async () => {
    mailFails = "for good";
    await queue();
    await sendMails();
    expect(await box("mail")).toMatchObject({ waiting: 0, failed: 1 });
    const support = await signInOperator(t, "support");
    const [row] = (await support.call("outbox", { box: "mail", state: "failed" })).rows;
    expect(row).toMatchObject({
      kind: "loginLink",
      title: "Link to log in",
      person: null,
      subject: "ana@example.com",
      error: "550 no such mailbox",
      mayRetry: true,
    });
    const id = row?.id ?? "";
    const whole = await support.call("outboxEntry", { box: "mail", id });
    expect(JSON.parse(whole.content)).toEqual({ firstname: "Ana", linkId: "•••", target: null, discount: null });
    expect((await (await signInOperator(t, "viewer")).refusal("outbox", { box: "mail" })).code).toBe(1403);
    expect((await support.refusal("outboxRetry", { box: "mail", id })).fields).toHaveProperty("reason");

    mailFails = "no";
    const answers = await Promise.all([1, 2, 3].map(() => support.call("outboxRetry", { box: "mail", id, reason })));
    await sendMails();
    expect(answers.filter(({ retried }) => retried)).toHaveLength(1);
    expect(sent).toEqual([{ to: "ana@example.com", subject: "loginLink" }]);
    expect(await support.call("outboxRetry", { box: "mail", id, reason })).toEqual({ retried: false });
    await sendMails();
    expect(sent).toHaveLength(1);
    const done = (await admin.call("audit", {})).rows.filter(({ action }) => action === "tried again");
    expect(done).toMatchObject([{ subject: `mail ${id}`, reason }]);
  });

  it("does not treat one refused mailbox as a mail outage, and points an operator to it", async () => {
    const sending = async () => (await admin.call("operations", {})).parts.find(({ name }) => name === "Mail sending");
    const told = async () => (await admin.call("today", {})).attention.map(({ title }) => title);
    mailFails = "for good";
    await queue();
    await sendMails();
    expect(await sending()).toMatchObject({ state: "fails", says: "550 no such mailbox" });
    mailFails = "no";
    await queue();
    await sendMails();
    expect(await sending()).toMatchObject({ state: "works", says: "0 wait, 1 given up" });
    expect(await told()).toEqual(["One mail could not be sent"]);
    await pass(24 * 60 * minute + 1);
    expect(await told()).toEqual([]);
  });

  it("does not offer to retry an entry that may be being tried", async () => {
    mailFails = "for now";
    await queue();
    await sendMails();
    const [row] = (await admin.call("outbox", { box: "mail", state: "waiting" })).rows;
    expect(row).toMatchObject({ attempts: 1, mayRetry: false });
    expect(await admin.call("outboxRetry", { box: "mail", id: row?.id ?? "", reason })).toEqual({ retried: false });
  });

  it("shows why a webhook was not applied and its payload, and applies it on retry", async () => {
    await t.store.write((queries) =>
      queries
        .insertInto("provider_events")
        .values({
          payment_provider: "paddlebilling",
          event_id: "evt_odd",
          event_type: "transaction.completed",
          payload: JSON.stringify({
            event_id: "evt_odd",
            data: { id: "txn_1", management_urls: { cancel: "x" }, checkout: { url: "https://pay" } },
          }),
          received_at: t.world.now(),
          applied_at: null,
        })
        .execute(),
    );
    await bed.payments.applyStored();
    expect((await admin.call("operations", {})).webhooks).toEqual({ received: 1, applied: 0, failed: 1 });
    const [row] = (await admin.call("outbox", { box: "webhooks", state: "failed" })).rows;
    expect(row?.error).toMatch(/could not be read/);
    const id = row?.id ?? "";
    expect((await admin.call("outboxEntry", { box: "webhooks", id })).content).toContain('"url": "•••"');
    expect(await admin.call("outboxRetry", { box: "webhooks", id, reason })).toEqual({ retried: true });
    expect((await admin.call("outbox", { box: "webhooks", state: "failed" })).rows).toMatchObject([{ id, error: row?.error }]);
  });

  it("counts page errors by cause, without a visit's data, and refusals by limit", async () => {
    const report = (message: string, agent: string, appVersion = "5.7.8") =>
      t.send("reportError", {
        body: {
          message,
          stack: `TypeError: ${message}\n    at step (https://parlando.example/assets/a-1.js?token=abc:1:20)`,
          url: "https://parlando.example/x?token=secret",
          appVersion,
          questionnaire: "83",
          route: "questionnaire",
        },
        headers: { "user-agent": agent },
      });
    await report("ana@example.com is undefined at 4711", "Mozilla Firefox/130.0 (Windows)");
    await report("bo@example.com is undefined at 4712", "Chrome/130 Android", "cy@example.com");
    await report("another", "Chrome/130 Android");
    for (let n = 0; n < 2; n++) expect((await report("over", "Chrome")).statusCode).toBe(429);
    const errors = await admin.call("clientErrors", {});
    expect(errors.map(({ message, count }) => [message, count])).toEqual([
      ["(e-mail) is undefined at (number)", 2],
      ["another", 1],
    ]);
    expect(errors[0]).toMatchObject({
      browsers: ["Chrome on Android", "Firefox on Windows"],
      questionnaires: ["83"],
      routes: ["questionnaire"],
    });
    expect(JSON.stringify(errors)).not.toMatch(/@|token/);
    await watch.round();
    const { limits, processes, versions } = await admin.call("operations", {});
    expect(limits).toMatchObject([{ rule: "report-error.network", refused: 2, points: 3, seconds: 60 }]);
    expect(processes).toMatchObject([{ lives: true, code: "5.7.8" }]);
    expect(versions).toMatchObject({ code: "5.7.8", content: "abc" });
    await pass(2 * minute);
    expect((await admin.call("operations", {})).processes).toMatchObject([{ lives: false }]);
  });

  it("names the latest visit with an error if its visitor allows statistics, but not to viewers", async () => {
    const devices = [t.world.uuid(), t.world.uuid()] as const;
    const choose = (device: string, analytics: boolean) =>
      t.call("consent", {
        body: {
          id: t.world.uuid(),
          at: new Date(t.world.now()).toISOString(),
          textVersion: "2026-01-01",
          categories: { functional: false, analytics, marketing: false },
          source: "banner",
        },
        headers: { "x-device-id": device },
      });
    const meet = async (device: string) => {
      const headers = { "x-device-id": device };
      await t.call("sendEvent", { body: { eventType: "GetQuestionnaire", payload: { questionnaire: "83" } }, headers });
      await t.call("reportError", {
        body: { message: "Boom", url: "https://parlando.example/x", appVersion: "5.7.8", questionnaire: "83" },
        headers,
      });
    };
    const visit = async (as: StudioClient = admin) => (await as.call("clientErrors", {}))[0]?.visit;
    await meet(devices[0]);
    expect(await visit()).toBeNull();
    await choose(devices[0], true);
    await meet(devices[0]);
    expect(await visit()).toEqual({ visit: devices[0], version: "83" });
    await choose(devices[1], false);
    await meet(devices[1]);
    expect(await visit()).toEqual({ visit: devices[0], version: "83" });
    expect(await admin.call("funnelVisit", { version: "83", visit: devices[0] })).toMatchObject({ version: "83" });
    expect(await visit(await signInOperator(t, "viewer"))).toBeNull();
    t.world.pass(1_000);
    await choose(devices[0], false);
    expect(await visit()).toBeNull();
  });

  it("names the versions and pages on which an error was most frequent, however many were made up", async () => {
    const report = (release: string, n: number) =>
      t.send("reportError", {
        body: { message: "Boom", url: "https://parlando.example/x", appVersion: "5.7.8", release, route: `page ${n}` },
        from: `10.0.0.${n}`,
      });
    for (let n = 1; n <= 25; n++) await report(`made up ${n}`, n);
    for (let n = 0; n < 2; n++) await report("zz of ours", 30 + n);
    const [boom] = await admin.call("clientErrors", {});
    expect(boom).toMatchObject({ message: "Boom", count: 27 });
    expect([boom?.versions.length, boom?.routes.length]).toEqual([20, 20]);
    expect(boom?.versions).toContain("zz of ours");
  });

  describe("alerts", () => {
    let heard: { readonly signature: string; readonly body: string }[];
    let answer: number;
    let receiver: FastifyInstance;
    let url: string;
    beforeEach(async () => {
      heard = [];
      answer = 200;
      receiver = Fastify();
      receiver.removeAllContentTypeParsers();
      receiver.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
      receiver.post("/alerts", async ({ body, headers }, reply) => {
        heard.push({ signature: String(headers["parlando-signature"]), body: String(body) });
        return reply.code(answer).send();
      });
      url = `${await receiver.listen({ port: 0, host: "127.0.0.1" })}/alerts`;
    });
    afterEach(() => receiver.close());

    it("announces each start and end once, by mail and by a signed webhook", async () => {
      expect(await admin.call("alertChannelSet", { name: "mail", target: "ops@team.example" })).toEqual({ secret: null });
      const { secret } = await admin.call("alertChannelSet", { name: "webhook", target: url });
      mailFails = "for good";
      await queue();
      await sendMails();
      mailFails = "no";
      const other = newWatch();
      await Promise.all([watch.round(), other.round()]);
      await watch.round();
      await sendMails();
      expect(heard).toHaveLength(1);
      const [first] = heard;
      const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(first?.signature ?? "") ?? [];
      expect(given).toBe(
        createHmac("sha256", secret ?? "")
          .update(`${at}.${first?.body}`)
          .digest("hex"),
      );
      expect(JSON.parse(first?.body ?? "")).toMatchObject({ rule: "mail-waits", state: "began" });
      expect(sent).toEqual([{ to: "ops@team.example", subject: "alert" }]);
      const [alert] = (await admin.call("operations", {})).alerts;
      expect(alert).toMatchObject({ rule: "mail-waits", endedAt: null, seenBy: null });
      const support = await signInOperator(t, "support");
      // Only admins see where alerts go: anybody with a webhook's address can write there.
      expect(await support.call("alertSettings", {})).toMatchObject({ mail: "o…@team.example", webhook: `${new URL(url).origin}/…` });
      expect(await admin.call("alertSettings", {})).toMatchObject({ mail: "ops@team.example", webhook: url });
      await support.call("alertSeen", { id: alert?.id ?? "" });
      t.world.pass(1_000);
      await support.call("alertSeen", { id: alert?.id ?? "", note: "called the mailbox provider" });
      t.world.pass(1_000);
      const failed = (await support.call("outbox", { box: "mail", state: "failed" })).rows[0]?.id ?? "";
      await support.call("outboxRetry", { box: "mail", id: failed, reason });
      const [told] = (await admin.call("alertSettings", {})).alerts;
      expect(told).toMatchObject({ seenBy: support.name });
      expect(told?.done.map(({ operator, action, reason: why }) => [operator, action, why])).toEqual([
        [support.name, "alert seen", null],
        [support.name, "alert noted", "called the mailbox provider"],
        [support.name, "tried again", reason],
      ]);
      // The reason of an action about a person may name them.
      const [seen] = (await (await signInOperator(t, "viewer")).call("alertSettings", {})).alerts;
      expect(seen?.done.map(({ reason: why }) => why)).toEqual([null, "called the mailbox provider", null]);

      await pass(hour + minute);
      await watch.round();
      await sendMails();
      expect(heard.map(({ body }) => (JSON.parse(body) as { readonly state: string }).state)).toEqual(["began", "ended"]);
      expect(sent.filter(({ subject }) => subject === "alert")).toHaveLength(2);
    });

    it("retries a webhook at growing intervals until it is accepted, and gives up in the end", async () => {
      await admin.call("alertChannelSet", { name: "webhook", target: url });
      await t.store.write((queries) =>
        queries
          .insertInto("reconciliations")
          .values({
            payment_provider: "paddle",
            at: t.world.now(),
            since: 0,
            findings: JSON.stringify({ agree: 0, differences: [], prices: ["one differs"], problem: null }),
          })
          .execute(),
      );
      answer = 500;
      await watch.round();
      expect(await box("alerts")).toMatchObject({ waiting: 1, tried: 1 });
      await watch.round();
      expect(heard).toHaveLength(1);
      await pass(31_000);
      answer = 200;
      await watch.round();
      expect(heard).toHaveLength(2);
      expect(heard[1]?.body).toBe(heard[0]?.body);
      expect(await box("alerts")).toMatchObject({ waiting: 0, failed: 0 });
    });

    it("asks a receiver that fails once in a round, because heartbeats wait for it", async () => {
      await admin.call("alertChannelSet", { name: "webhook", target: url });
      const waiting = ["a", "b", "c"].map((id, n) => ({
        id,
        body: id,
        created_at: t.world.now() + n,
        attempts: 0,
        next_attempt_at: t.world.now(),
      }));
      await t.store.write((queries) => queries.insertInto("alert_deliveries").values(waiting).execute());
      answer = 500;
      await watch.round();
      await watch.round();
      expect(heard.map(({ body }) => body)).toEqual(["a", "b"]);
      answer = 200;
      await pass(31_000);
      await watch.round();
      expect(heard.map(({ body }) => body)).toEqual(["a", "b", "a", "b", "c"]);
    });

    it("reports missing payments in an hour that usually has some, and follows an admin's settings", async () => {
      const week = 7 * 24 * hour;
      const paidAt = async (at: number, id: string) =>
        t.store.write((queries) =>
          queries
            .insertInto("money_entries")
            .values({
              payment_provider: "paddle",
              id,
              kind: "payment",
              transaction_id: id,
              for_period: 1,
              at,
              day: dayOf(at),
              currency: "MXN",
              gross: 5,
            })
            .execute(),
        );
      for (let back = 1; back <= 4; back++)
        for (let n = 0; n < 3; n++) await paidAt(t.world.now() - back * week - 10 * minute, `${back}-${n}`);
      const open = async () =>
        (await admin.call("operations", {})).alerts.filter(({ rule, endedAt }) => rule === "no-payments" && endedAt === null).length;
      await watch.round();
      expect(await open()).toBe(1);
      await paidAt(t.world.now(), "now");
      await watch.round();
      expect(await open()).toBe(0);
      await t.store.write((queries) => queries.deleteFrom("money_entries").where("id", "=", "now").execute());
      await admin.call("alertRuleSet", { name: "no-payments", active: true, threshold: 4, reason: "small shop" });
      await watch.round();
      expect(await open()).toBe(0);
      await admin.call("alertRuleSet", { name: "no-payments", active: true, threshold: 3, reason: "as before" });
      await watch.round();
      expect(await open()).toBe(1);
      await admin.call("alertRuleSet", { name: "no-payments", active: false, threshold: 3, reason: "a sale is over" });
      await watch.round();
      expect(await open()).toBe(0);
      const publisher = await signInOperator(t, "publisher");
      expect((await publisher.refusal("alertRuleSet", { name: "no-payments", active: true, threshold: 3, reason })).code).toBe(1403);
    });
  });
});
