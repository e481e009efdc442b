/** People in the studio: how they are found, what their page shows, and what an operator can do for them. */
import { createLinks } from "#server/mail/links.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { createTestApp, createTestStore, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { dayMs, type PaymentBed, paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import { signInOperator, type StudioClient } from "#test/studio.ts";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const reason = "They wrote in.";
const declinedCard = "4000000000000002";
/** A query's step that reads a whole table, or all of a provider, of which nearly all sites have one. */
const readsAll =
  /^(?:SCAN (?:provider_facts|payment_duties|plan_moments|orders)\b|SEARCH (?:provider_facts|payment_duties|plan_moments|orders) .*\(payment_provider=\?\))/;
const products = { paddlebilling: "subscription-1m-mxn", paddle: "subscription-1m-mxn-classic" };

describe.each(sampledDatabases)("people in the studio (%s)", (database) => {
  let t: TestApp;
  let bed: PaymentBed;
  let support: StudioClient;
  beforeEach(async () => {
    const store = await createTestStore(database);
    bed = await paymentBed(store);
    t = await createTestApp({
      database,
      store,
      parts: ({ world, settings }) => ({
        payments: bed.payments,
        mail: createMailer({
          store,
          world,
          publicUrl: settings.publicUrl,
          namedBackend: null,
          mailFrom: "Parlando <hello@parlando.example>",
          links: {
            tokenOf: async () => "the-secret",
            codeOf: async () => "123456",
            studioAddressOf: async () => "https://secret.example/",
          },
          renderMail: async (template, _locale, data) => ({
            subject: template,
            html: JSON.stringify(data),
            text: JSON.stringify(data),
            attachments: [],
          }),
          transport: { send: async () => {}, close: () => {} },
          log: { warn: () => {}, error: () => {} },
        }),
      }),
    });
    support = await signInOperator(t, "support");
  });
  afterEach(async () => {
    await bed.close();
    await t.close();
  });

  const page = (uuid: string) => support.call("person", { uuid });
  const found = async (q: string) => (await support.call("people", { q })).rows.map(({ uuid }) => uuid);
  const mailsOf = async (uuid: string) =>
    (
      await t.store.read.selectFrom("mail_outbox").select(["id", "template", "recipient"]).where("account_uuid", "=", uuid).execute()
    ).toSorted((a, b) => (a.template < b.template ? -1 : 1));
  const templatesOf = async (uuid: string) => (await mailsOf(uuid)).map(({ template }) => template);
  const auditRows = () =>
    t.store.read.selectFrom("operator_audit").select(["action", "account_uuid", "reason", "operator_name"]).orderBy("at").execute();
  const actions = async () =>
    (await auditRows()).map(({ action }) => action).filter((action) => action !== "signed in" && !action.startsWith("operator"));
  const orderOf = (uuid: string) =>
    t.store.read.selectFrom("orders").selectAll().where("account_uuid", "=", uuid).orderBy("created_at", "desc").executeTakeFirstOrThrow();
  /** A person with a paid plan, past its trial if it has one. */
  async function payer(provider: keyof typeof products, email = `${provider}@example.com`) {
    const person = await t.signUp({ email, firstname: "Lucía" });
    const bought = await bed.buy(person.uuid, products[provider]);
    expect(bought.status).not.toBe("declined");
    return { ...person, ...bought, order: await orderOf(person.uuid) };
  }

  it("show a plan and its payments, and of checkouts that were only opened the latest: anybody can open any number", async () => {
    const { uuid, order } = await payer("paddlebilling");
    const opened = Array.from({ length: 150 }, (_, n) => ({
      ...order,
      id: t.world.uuid(),
      status: n === 149 ? "pending" : "cancelled",
      transaction_id: null,
      subscription_id: null,
      created_at: order.created_at + n + 1,
    }));
    await t.store.write((queries) => queries.insertInto("orders").values(opened).execute());
    const { lines, payments, plan, entitlement } = await page(uuid);
    const shown = lines.flatMap(({ id }) => (id.startsWith("order ") ? [id.slice("order ".length)] : []));
    const latest = opened.slice(50).map(({ id }) => id);
    expect(shown).toEqual([...latest.toReversed(), order.id]);
    expect([payments.map((one) => one.transaction), plan?.productPlan, entitlement.usable]).toEqual([[order.transaction_id], "1M", true]);
  });

  it.runIf(database === "sqlite")(
    "are found, shown and given money back by indexes alone: anybody can open checkouts, and a person's screen asks again and again",
    async () => {
      const { uuid, order } = await payer("paddlebilling");
      const watched = watchStatements();
      await support.call("people", { q: order.transaction_id ?? "" });
      await page(uuid);
      await support.call("paymentRefund", {
        uuid,
        transaction: order.transaction_id ?? "",
        amount: 1,
        id: t.world.uuid(),
        andEnd: false,
        reason: "a part",
      });
      for (const text of new Set(watched.seen.map((one) => one.sql))) {
        if (!/^(?:select|with)/i.test(text)) continue;
        const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
        expect([text, plan.rows.filter(({ detail }) => readsAll.test(detail))]).toEqual([text, []]);
      }
    },
  );

  it("show no visit of a stranger's device that names them, but those from before sign-up and from their sessions", async () => {
    const uuid = t.world.uuid();
    const [own, laptop, strange] = [t.world.uuid(), t.world.uuid(), t.world.uuid()];
    const visit = (device: string, questionnaire: string, token?: string) =>
      t.call("sendEvent", {
        body: { eventType: "GetQuestionnaire", payload: { questionnaire, uuid, campaignId: "written by a stranger" } },
        headers: { "x-device-id": device },
        ...(token === undefined ? {} : { token }),
      });
    await visit(own, "76");
    const person = await t.signUp({ uuid });
    await visit(strange, "78");
    await visit(laptop, "76", (await t.logIn(person)).token);
    // Without a session, as after logging out or in a beacon.
    await visit(own, "83");
    await visit(laptop, "83");
    const visits = (await page(uuid)).lines.filter(({ kind }) => kind === "visits").map(({ id }) => id);
    expect(visits.toSorted()).toEqual([own, laptop].flatMap((device) => [`visit ${device} 76`, `visit ${device} 83`]).toSorted());
    const replayable = async () => (await page(uuid)).lines.flatMap(({ visit: shown }) => shown ?? []);
    expect(await replayable()).toEqual([]);
    const choice = { functional: false, analytics: true, marketing: false };
    const at = new Date(t.world.now()).toISOString();
    await t.call("consent", {
      body: { id: t.world.uuid(), at, textVersion: "2026-01-01", categories: choice, source: "banner" },
      headers: { "x-device-id": own },
    });
    expect((await replayable()).toSorted((a, b) => (a.version < b.version ? -1 : 1))).toEqual([
      { visit: own, version: "76" },
      { visit: own, version: "83" },
    ]);
    // The visits still count, as another visitor's.
    expect(await t.store.read.selectFrom("journeys").select("version").where("device_id", "=", strange).execute()).toEqual([
      { version: "78" },
    ]);
  });

  it("show their latest 200 visits, however many devices they used", async () => {
    const person = await t.signUp({ email: "many@example.com" });
    const { uuid } = person;
    const { token } = await t.logIn(person);
    for (let n = 1; n <= 201; n++) {
      t.world.pass(1_000);
      const device = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
      // As an earlier release linked them: any number to one account.
      await t.store.write((queries) =>
        queries.insertInto("event_devices").values({ device_id: device, visitor: uuid, sequence: 1 }).execute(),
      );
      const response = await t.app.inject({
        method: "POST",
        url: "/api/send-event",
        headers: { "x-device-id": device, authorization: `Bearer ${token}` },
        payload: { eventType: "GetQuestionnaire", payload: { questionnaire: "76", uuid } },
      });
      expect(response.statusCode, response.body).toBe(202);
    }
    const visits = (await page(uuid)).lines.filter(({ kind }) => kind === "visits");
    expect(visits).toHaveLength(200);
    expect(visits[0]?.at).toBe(t.world.now());
  });

  it("are found by address, its beginning, name, order, transaction and subscription, and by nothing else", async () => {
    const lucia = await payer("paddlebilling", "lucia.ramos@ejemplo.mx");
    const other = await t.signUp({ email: "luciano@example.com", firstname: "Otto" });
    expect(await found("Lucia.Ramos@ejemplo.mx")).toEqual([lucia.uuid]);
    expect(new Set(await found("lucia"))).toEqual(new Set([lucia.uuid, other.uuid]));
    expect(await found("lucia.")).toEqual([lucia.uuid]);
    expect(await found("otto")).toEqual([other.uuid]);
    expect(await found(lucia.order.id)).toEqual([lucia.uuid]);
    expect(await found(lucia.order.transaction_id ?? "")).toEqual([lucia.uuid]);
    expect(await found(lucia.order.subscription_id ?? "")).toEqual([lucia.uuid]);
    expect(await found(other.uuid)).toEqual([other.uuid]);
    for (const q of ["ramos@", "%", "lucia%", "'", "zzz"]) expect([q, await found(q)]).toEqual([q, []]);
  });

  it("are listed in pages, the newest first, each once", async () => {
    await t.store.write(async (queries) => {
      for (let index = 0; index < 53; index++)
        await queries
          .insertInto("accounts")
          .values({
            uuid: t.world.uuid(),
            email: `many${index}@example.com`,
            email_confirmed_at: null,
            password_hash: null,
            firstname: null,
            locale: "de-DE",
            questionnaire_version: "76",
            app_version: "v1",
            marketing_consent: null,
            created_at: t.world.now() + Math.floor(index / 3),
            updated_at: 0,
          })
          .execute();
    });
    const first = await support.call("people", {});
    const second = await support.call("people", { after: first.next ?? "" });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 3, null]);
    const all = [...first.rows, ...second.rows];
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(53);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a));
  });

  it("show why they are entitled or not, and why they may not be able to log in", async () => {
    const { uuid } = await t.signUp({});
    expect((await page(uuid)).entitlement).toMatchObject({ usable: false, why: "They have never opened a checkout." });
    expect((await page(uuid)).obstacles.map(({ title }) => title)).toEqual(["They have no access now", "The address was never confirmed"]);
    await bed.buy(uuid, products.paddlebilling, { card: declinedCard });
    await bed.payments.noteBuyers();
    const declined = await page(uuid);
    expect(declined.entitlement.why).toMatch(/not paid/);
    expect(declined.obstacles[0]?.title).toBe("Their payment was declined");
    expect(declined.lines.map(({ title }) => title)).toContain("A payment was declined");
    await bed.buy(uuid, products.paddlebilling);
    const paid = await page(uuid);
    expect(paid.entitlement).toMatchObject({ usable: true, status: "active" });
    expect(paid.entitlement.why).toMatch(/^MX\$[\d.,]+ were paid on Nov 20, 2026 for the time until Dec 20, 2026/);
    expect(paid.obstacles.map(({ title }) => title)).toEqual(["The address was never confirmed"]);
    expect(paid.payments).toHaveLength(1);
  });

  it("show after a failed first charge how long access lasts, and what each mail said", async () => {
    const { uuid } = await t.signUp({});
    const { engine, subscriptionId } = await bed.buy(uuid, "subscription-3m-mxn", { card: "4000 0027 6000 3184" });
    const later = async (ms: number) => {
      t.world.pass(ms);
      bed.clock.now = t.world.now();
      await bed.settled();
      await bed.payments.noteBuyers();
      support = await signInOperator(t, "support");
    };
    await later(7 * dayMs + 60_000);
    engine.renew(subscriptionId);
    await later(60_000);
    const late = await page(uuid);
    expect(late.entitlement).toMatchObject({ usable: true, status: "past_due" });
    expect(late.entitlement.why).toMatch(
      /^The free trial began on [A-Z][a-z]+ \d+, \d+; the charge after it failed\. Access ran to .* three days more/,
    );
    expect(late.lines.map(({ title }) => title)).toContain("Mail: A payment failed");
    await later(3 * dayMs);
    expect((await page(uuid)).entitlement).toMatchObject({ usable: false });
    expect((await page(uuid)).entitlement.why).toMatch(/Access ended on .*; a payment opens it again\.$/);
  });

  it("log out on every device, with a reason", async () => {
    const person = await t.signUp({ email: "lost@example.com" });
    const other = await t.signUp({ email: "other@example.com" });
    const [phone, laptop, others] = [await t.logIn(person), await t.logIn(person), await t.logIn(other)];
    await support.call("sessionsEnd", { uuid: person.uuid, reason });
    for (const { token, refreshToken } of [phone, laptop]) {
      expect(await t.refusal("email", { token })).toMatchObject({ code: 1002 });
      expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
    }
    await t.call("email", { token: others.token });
    await t.logIn(person);
    expect(await actions()).toEqual(["logged out everywhere"]);
    expect(await support.refusal("sessionsEnd", { uuid: t.world.uuid(), reason })).toMatchObject({ code: 1404 });
  });

  it("show a mail as it was sent, with its link and code masked, and only on the recipient's page", async () => {
    const { uuid } = await t.signUp({});
    const other = await t.signUp({});
    await support.call("loginLinkSend", { uuid, reason });
    const mail = (await mailsOf(uuid)).find(({ template }) => template === "loginLink")?.id ?? "";
    const sent = await support.call("personMail", { uuid, mail });
    expect(sent.subject).toBe("loginLink");
    expect(sent.html).toContain("token=hidden");
    expect(sent.html).not.toMatch(/the-secret|123456/);
    expect(await support.refusal("personMail", { uuid: other.uuid, mail })).toMatchObject({ code: 1404 });
  });

  describe.each(["paddlebilling", "paddle"] as const)("who pay by %s", (provider) => {
    it("get a whole payment back once, however often the refund is requested, and lose access", async () => {
      const person = await payer(provider);
      const [payment] = (await page(person.uuid)).payments;
      const transaction = payment?.transaction ?? "";
      const ask = { uuid: person.uuid, transaction, amount: null, andEnd: true, reason };
      await support.call("paymentRefund", { ...ask, id: randomUUID() });
      const second = await support.send("paymentRefund", { ...ask, id: randomUUID() });
      await bed.settled();
      expect(second.statusCode).toBe(409);
      const after = await page(person.uuid);
      expect(after.entitlement).toMatchObject({ usable: false, status: "deleted" });
      expect(after.entitlement.why).toMatch(/went back/);
      expect(after.payments[0]).toMatchObject({ left: 0, asked: null });
      expect(after.lines.filter(({ title }) => title.startsWith("Given back"))).toHaveLength(1);
      // Paddle Classic keeps the plan until the end of the paid period, without further charges.
      const { status, scheduled_change: change } = person.engine.getSubscription(person.subscriptionId);
      expect(provider === "paddle" ? change?.action : status).toBe(provider === "paddle" ? "cancel" : "canceled");
      expect(await templatesOf(person.uuid)).toContain("planNews");
      expect(await actions()).toEqual(["payment refunded"]);
      expect(await support.refusal("paymentRefund", { ...ask, id: randomUUID() })).toMatchObject({ code: 1409 });
    });

    it("read as refunded only what the provider gave back: a refund that it rejects later is said to be rejected", async () => {
      const person = await payer(provider);
      const [payment] = (await page(person.uuid)).payments;
      const ask = { uuid: person.uuid, transaction: payment?.transaction ?? "", amount: null, andEnd: false, reason, id: randomUUID() };
      await support.call("paymentRefund", ask);
      await bed.settled();
      const rows = await t.store.read.selectFrom("provider_facts").selectAll().where("fact", "like", '%"adjustment"%').execute();
      for (const { id, fact } of rows) {
        const rejected = { ...JSON.parse(fact), approved: false, rejected: "The card was closed." };
        await bed.payments.applyFacts(provider, [{ fact: rejected, version: "9999" }]);
        expect((await page(person.uuid)).lines.filter((line) => line.id === `fact ${id}`)).toMatchObject([
          { title: "Refund", state: { tone: "bad", words: "Rejected by the provider" } },
        ]);
      }
      expect(rows.length).toBe(1);
    });

    it("can still cancel a subscription that outlives refunded access, and are not charged again", async () => {
      const person = await payer(provider);
      const [payment] = (await page(person.uuid)).payments;
      const ask = { uuid: person.uuid, transaction: payment?.transaction ?? "", amount: null, andEnd: false, reason };
      await support.call("paymentRefund", { ...ask, id: randomUUID() });
      await bed.settled();
      const refunded = await page(person.uuid);
      expect(refunded.entitlement).toMatchObject({ usable: false, status: "deleted" });
      expect(refunded.plan).toMatchObject({ actions: ["cancel"] });
      expect(refunded.plan?.nextCharge).toBeGreaterThan(t.world.now());
      await support.call("planChange", { uuid: person.uuid, action: "cancel", reason });
      await bed.settled();
      expect((await page(person.uuid)).plan).toMatchObject({ actions: [], nextCharge: null });
      const { status, scheduled_change: change } = person.engine.getSubscription(person.subscriptionId);
      expect([status, change?.action]).toContain(provider === "paddle" ? "cancel" : "canceled");
    });

    it("cannot take a cancellation back once the payment is refunded", async () => {
      const person = await payer(provider);
      const [payment] = (await page(person.uuid)).payments;
      await support.call("planChange", { uuid: person.uuid, action: "cancel", reason });
      await bed.settled();
      const ask = { uuid: person.uuid, transaction: payment?.transaction ?? "", amount: null, andEnd: false, reason };
      await support.call("paymentRefund", { ...ask, id: randomUUID() });
      await bed.settled();
      const after = await page(person.uuid);
      expect([after.entitlement.status, after.plan?.actions, after.plan?.nextCharge]).toEqual(["deleted", [], null]);
    });

    it("get a partial refund once, even when the provider's answer is lost and another process asks again; the plan stays", async () => {
      const person = await payer(provider);
      const [payment] = (await page(person.uuid)).payments;
      const { transaction = "", total = 0 } = payment ?? {};
      const ask = { uuid: person.uuid, transaction, amount: 100, id: randomUUID(), andEnd: false, reason };
      await support.call("paymentRefund", ask);
      await support.call("paymentRefund", ask);
      await bed.settled();
      // The state after a kill between the provider's answer and its record.
      await t.store.write((queries) =>
        queries.updateTable("payment_duties").set({ done_at: null, next_attempt_at: 0 }).where("kind", "=", "refund-asked").execute(),
      );
      await bed.newProcess().reconcile();
      await bed.settled();
      const after = await page(person.uuid);
      expect(after.entitlement.usable).toBe(true);
      expect(after.payments[0]).toMatchObject({ total, left: total - 100, asked: null });
      const rows = await t.store.read.selectFrom("operator_audit").select("after_values").where("account_uuid", "=", person.uuid).execute();
      expect(rows.map((row) => JSON.parse(row.after_values ?? "null"))).toEqual([
        { transaction, amount: 100, currency: payment?.currency, andEnd: false },
      ]);
      expect(after.lines.filter(({ title }) => title === "Given back in part")).toMatchObject([{ money: { minor: 100 } }]);
      expect(await actions()).toEqual(["payment refunded"]);
      expect(await support.refusal("paymentRefund", { ...ask, amount: total, id: randomUUID() })).toMatchObject({ code: 1409 });
      await support.call("paymentRefund", { ...ask, amount: null, id: randomUUID() });
      await bed.settled();
      const rest = await page(person.uuid);
      expect([rest.payments[0]?.left, rest.entitlement.usable]).toEqual([0, false]);
    });

    it("have their plan paused, resumed and cancelled as they could themselves, with the same mails and an audit row each", async () => {
      const { uuid } = await payer(provider);
      for (const action of ["pause", "keep", "cancel"] as const) {
        await support.call("planChange", { uuid, action, reason });
        await bed.settled();
        // Paddle Classic's times are whole seconds.
        bed.clock.now += 2_000;
      }
      const { plan, lines } = await page(uuid);
      expect(plan?.change?.action).toBe("cancel");
      expect(lines.filter(({ title }) => title === "The plan was cancelled")).toMatchObject([{ kind: "payments" }]);
      expect(await templatesOf(uuid)).toEqual(expect.arrayContaining(["cancelled", "planNews"]));
      expect((await actions()).toSorted()).toEqual(["plan cancelled", "plan kept", "plan paused"]);
      expect(await support.refusal("planChange", { uuid, action: "resume", reason })).toMatchObject({ code: 1200 });
      expect(await actions()).toHaveLength(3);
    });

    it("are given days once: after the paid period, or from now on when there is none", async () => {
      const person = await payer(provider);
      const { uuid } = person;
      const before = (await page(uuid)).entitlement.end ?? 0;
      const give = { uuid, days: 10, id: randomUUID(), reason };
      await support.call("daysGive", give);
      await support.call("daysGive", give);
      const day = 86_400_000;
      expect((await page(uuid)).entitlement).toMatchObject({ usable: true, end: before + 10 * day });
      expect((await page(uuid)).entitlement.why).toMatch(/10 days were given by us/);
      expect(await actions()).toEqual(["days given"]);
      const [payment] = (await page(uuid)).payments;
      await support.call("paymentRefund", {
        uuid,
        transaction: payment?.transaction ?? "",
        amount: null,
        id: randomUUID(),
        andEnd: true,
        reason,
      });
      await bed.settled();
      const after = await page(uuid);
      expect(after.entitlement.usable).toBe(true);
      expect(Math.round(((after.entitlement.end ?? 0) - bed.clock.now) / 60_000)).toBe(10 * 24 * 60);
      expect(after.plan?.actions).toEqual([]);
    });
  });

  it("are given at most 366 days within a year, whatever the requests' ids, and none by another person's id", async () => {
    const lucia = await payer("paddlebilling");
    const otto = await payer("paddle");
    const give = (uuid: string, days: number, id = randomUUID()) => support.send("daysGive", { uuid, days, id, reason });
    const said = async (answer: ReturnType<typeof give>) => {
      const { statusCode, body } = await answer;
      return statusCode === 200 ? "given" : JSON.parse(body).fields;
    };
    const id = randomUUID();
    expect(await said(give(lucia.uuid, 300, id))).toBe("given");
    const end = (await page(lucia.uuid)).entitlement.end ?? 0;
    const together = await Promise.all([66, 66].map((days) => said(give(lucia.uuid, days))));
    expect(together).toEqual(expect.arrayContaining(["given", { days: "too many" }]));
    expect(await said(give(lucia.uuid, 1))).toEqual({ days: "too many" });
    expect(await said(give(lucia.uuid, 300, id))).toBe("given");
    expect((await page(lucia.uuid)).entitlement.end).toBe(end + 66 * dayMs);
    expect(await said(give(otto.uuid, 1, id))).toEqual({ id: "another's" });
    expect(await said(give(otto.uuid, 1))).toBe("given");
    expect(await actions()).toEqual(["days given", "days given", "days given"]);
    bed.clock.now += 366 * dayMs;
    expect(await said(give(lucia.uuid, 366))).toBe("given");
  });

  it("are given days only with a plan", async () => {
    const { uuid } = await t.signUp({});
    expect(await support.refusal("daysGive", { uuid, days: 3, id: randomUUID(), reason })).toMatchObject({ code: 1200 });
    expect(await actions()).toEqual([]);
  });

  it("have a typing error in their address corrected at once, but a confirmed address changes only when the new mailbox confirms", async () => {
    const person = await t.signUp({ email: "slip@exampel.com" });
    expect(await support.call("addressCorrect", { uuid: person.uuid, email: "slip@example.com", reason })).toEqual({ pending: false });
    expect((await page(person.uuid)).account.email).toBe("slip@example.com");
    expect(await templatesOf(person.uuid)).toEqual(["confirmEmail", "confirmEmail", "emailChanged"]);
    const log = await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", person.uuid).execute();
    expect(log).toEqual([{ kind: "email changed" }]);
    await t.store.write((queries) =>
      queries.updateTable("accounts").set({ email_confirmed_at: 1 }).where("uuid", "=", person.uuid).execute(),
    );
    expect(await support.refusal("addressCorrect", { uuid: person.uuid, email: "new@example.com", reason })).toMatchObject({ code: 1403 });
    const admin = await signInOperator(t, "admin");
    expect(await admin.call("addressCorrect", { uuid: person.uuid, email: "new@example.com", reason })).toEqual({ pending: true });
    expect((await page(person.uuid)).account).toMatchObject({ email: "slip@example.com", newEmail: "new@example.com" });
    expect(await templatesOf(person.uuid)).toContain("emailChange");
    const other = await t.signUp({ email: "other@example.com" });
    expect(await support.refusal("addressCorrect", { uuid: other.uuid, email: "slip@example.com", reason })).toMatchObject({ code: 1101 });
    expect((await actions()).toSorted()).toEqual(["address change begun", "address corrected"]);
    const kept = JSON.stringify(await t.store.read.selectFrom("operator_audit").selectAll().execute());
    expect(kept).not.toMatch(/example\.com|exampel/);
  });

  describe("whose address was never confirmed but who have an order", () => {
    const toNew = "theirs@example.com";
    const tokenOf = async (template: string, recipient: string) => {
      const { data } = await t.store.read
        .selectFrom("mail_outbox")
        .select("data")
        .where("template", "=", template)
        .where("recipient", "=", recipient)
        .executeTakeFirstOrThrow();
      const links = createLinks(testSettings().secretKeys, t.world);
      return (await links.tokenOf(t.store.read, JSON.parse(data).linkId)) ?? "ended";
    };

    it("keep it until the new mailbox confirms; the old address, which was never confirmed, cannot undo the change", async () => {
      const { uuid, email } = await payer("paddlebilling");
      expect(await support.refusal("addressCorrect", { uuid, email: toNew, reason })).toMatchObject({ code: 1403 });
      expect((await page(uuid)).account).toMatchObject({ email, newEmail: null, addressStays: true });
      const admin = await signInOperator(t, "admin");
      expect(await admin.call("addressCorrect", { uuid, email: toNew, reason })).toEqual({ pending: true });
      await support.call("loginLinkSend", { uuid, reason });
      const loginMails = (await mailsOf(uuid)).filter(({ template }) => template === "loginLink");
      expect(loginMails.map(({ recipient }) => recipient)).toEqual([email]);
      const undo = await tokenOf("emailChange", email);
      await t.call("confirmEmail", { body: { confirmToken: await tokenOf("confirmEmail", toNew) } });
      expect((await page(uuid)).account).toMatchObject({ email: toNew, newEmail: null });
      expect((await t.refusal("undoEmail", { body: { token: undo } })).code).toBe(1004);
      expect((await page(uuid)).account).toMatchObject({ email: toNew });
    });

    it("can cancel the change from that address while it is pending", async () => {
      const { uuid, email } = await payer("paddlebilling");
      const admin = await signInOperator(t, "admin");
      await admin.call("addressCorrect", { uuid, email: toNew, reason });
      const confirmToken = await tokenOf("confirmEmail", toNew);
      await t.call("undoEmail", { body: { token: await tokenOf("emailChange", email) } });
      expect((await t.refusal("confirmEmail", { body: { confirmToken } })).code).toBe(1005);
      expect((await page(uuid)).account).toMatchObject({ email, newEmail: null });
    });

    it("can replace the admin's change by another one, and then the old address cannot undo it: its mailbox may be a stranger's", async () => {
      const person = await payer("paddlebilling");
      const { uuid, email } = person;
      const { token } = await t.logIn(person);
      const admin = await signInOperator(t, "admin");
      await admin.call("addressCorrect", { uuid, email: "their@exampel.com", reason });
      const undo = await tokenOf("emailChange", email);
      expect(await t.call("updateEmail", { token, body: { email: toNew, password: person.password } })).toEqual({ pending: false });
      await t.call("confirmEmail", { body: { confirmToken: await tokenOf("confirmEmail", toNew) } });
      expect((await t.refusal("undoEmail", { body: { token: undo } })).code).toBe(1004);
      expect((await page(uuid)).account).toMatchObject({ email: toNew });
    });
  });

  it("must confirm a change begun by an admin, even when it is requested again with only an access token", async () => {
    const person = await payer("paddlebilling");
    const { token } = await t.logIn(person);
    const admin = await signInOperator(t, "admin");
    await admin.call("addressCorrect", { uuid: person.uuid, email: "theirs@example.com", reason });
    expect(await t.call("updateEmail", { token, body: { email: "theirs@example.com" } })).toEqual({ pending: true });
    expect((await page(person.uuid)).account).toMatchObject({ email: person.email, newEmail: "theirs@example.com" });
  });

  it("get a mail again with a new link, but none about another address", async () => {
    const { uuid, email } = await t.signUp({});
    const [first] = await mailsOf(uuid);
    await support.call("mailResend", { uuid, mail: first?.id ?? "", reason });
    const rows = await t.store.read.selectFrom("mail_outbox").selectAll().where("account_uuid", "=", uuid).execute();
    expect(rows.map(({ template, recipient }) => [template, recipient])).toEqual([1, 2].map(() => ["confirmEmail", email]));
    expect(new Set(rows.map(({ data }) => data)).size).toBe(2);
    await support.call("addressCorrect", { uuid, email: "other@example.com", reason });
    const told = (await mailsOf(uuid)).find(({ template }) => template === "emailChanged");
    expect(await support.refusal("mailResend", { uuid, mail: told?.id ?? "", reason })).toMatchObject({ code: 1000 });
  });

  it("are exported and erased as they could themselves; no personal data remains, not even in the audit", async () => {
    const person = await payer("paddlebilling", "gone@example.com");
    const { uuid, email } = person;
    const exported = await support.call("personExport", { uuid, reason });
    expect(exported["account"]).toMatchObject({ uuid, email });
    expect(await support.refusal("personErase", { uuid, email: "another@example.com", reason })).toMatchObject({ code: 1000 });
    await support.call("personErase", { uuid, email, reason });
    expect(await support.refusal("person", { uuid })).toMatchObject({ code: 1404 });
    expect(await found(email)).toEqual([]);
    await t.erased();
    await bed.payments.reconcile();
    await bed.settled();
    expect(person.engine.getSubscription(person.subscriptionId).status).toBe("canceled");
    const kept = await t.store.read.selectFrom("operator_audit").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(uuid);
    expect(kept.map(({ action }) => action)).toEqual(expect.arrayContaining(["account exported", "account erased"]));
  });

  it("are hidden from viewers, who see no address", async () => {
    const { uuid, email } = await t.signUp({});
    const viewer = await signInOperator(t, "viewer");
    for (const [key, input] of [
      ["people", {}],
      ["people", { q: email }],
      ["person", { uuid }],
    ] as const) {
      const answer = await viewer.send(key, input);
      expect([key, answer.statusCode, answer.body.includes(email)]).toEqual([key, 403, false]);
    }
  });
});
