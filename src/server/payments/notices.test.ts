/** Contracts ended without logging in (§§ 312k, 356a BGB; decisions 132, 133). */
import { createPaddleStandin, type PaddleStandin, paddlePrefix } from "#standins/paddle/plugin.ts";
import { createTestApp, databases, type Person, sampledDatabases, type TestApp } from "#test/app.ts";
import { shopOn } from "#test/fakeShop.ts";
import { hangingWait } from "#test/patience.ts";
import { providerPatience } from "#test/payments.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createLinks } from "../mail/links.ts";
import { loadCatalogue, standinCatalogue, standinPriceId } from "./catalogue.ts";
import { markAnswered, waitingNotices } from "./notices.ts";
import { createPaddleBilling } from "./paddleBilling.ts";
import { createPayments } from "./payments.ts";
import { ProviderFailure, type SubscriptionFact, type TransactionFact } from "./provider.ts";
import type { PaymentService } from "./service.ts";
import { renderMail } from "../mail/templates/index.tsx";

const webhookSecret = "pdl_ntfset_notices";
const minuteMs = 60_000;
const dayMs = 86_400_000;

describe.each(sampledDatabases)("a notice that ends a contract, on %s", (database) => {
  let t: TestApp;
  let standin: PaddleStandin;
  let payments: PaymentService;
  let buyer: Person;
  let secretKeys: readonly string[];
  let hooksArrive = true;

  beforeEach(async () => {
    let origin = "";
    let made: { readonly standin: PaddleStandin; readonly payments: PaymentService } | null = null;
    t = await createTestApp({
      database,
      settings: { countryHeader: "cf-ipcountry" },
      parts: ({ store, world, settings }) => {
        const paddle = createPaddleStandin({
          ...standinCatalogue,
          apiKey: "standin",
          webhookSecret,
          webhookUrl: () => `${origin}/api/webhooks/paddle-billing`,
          publicUrl: () => origin,
          returnPath: "/",
          dataFile: ":memory:",
          answerMs: hangingWait,
          now: world.now,
        });
        const provider = createPaddleBilling({
          apiKey: "standin",
          environment: () => `${origin}${paddlePrefix}/api`,
          webhookSecrets: [webhookSecret],
          timeoutMs: () => providerPatience(paddle),
        });
        const log = { warn: () => undefined, error: () => undefined };
        ({ secretKeys } = settings);
        made = {
          standin: paddle,
          payments: createPayments({ store, world, providers: [provider], secretKeys, log, onMail: () => undefined }),
        };
        const { receive } = made.payments;
        return {
          payments: { ...made.payments, receive: async (...hook) => hooksArrive && receive(...hook) },
          extensions: [paddle.plugin],
        };
      },
    });
    if (made === null) throw new Error("No parts were made");
    ({ standin, payments } = made);
    await loadCatalogue(t.store, standinPriceId, t.world.now());
    origin = await t.app.listen({ port: 0, host: "127.0.0.1" });
    buyer = await t.signUp({ firstname: "Lucía" });
  });
  afterEach(async () => {
    hooksArrive = true;
    await settled();
    await standin.close();
    await payments.stop();
    await t.close();
  });

  async function settled() {
    await payments.settled();
    await standin.deliveries.settled();
    await payments.settled();
  }
  async function buy(pricingId: string, headers: Readonly<Record<string, string>> = {}, number = "4242 4242 4242 4242"): Promise<string> {
    const { token } = await t.logIn(buyer);
    const { transactionId } = await t.call("createTransaction", { token, body: { pricingId }, headers });
    standin.billing.setBuyer(transactionId, { email: buyer.email, countryCode: "DE" });
    standin.billing.pay(transactionId, { number, expiry: "12/40", cvc: "123", name: "Lucía" });
    await settled();
    return (await t.store.read.selectFrom("orders").select("id").where("transaction_id", "=", transactionId).executeTakeFirstOrThrow()).id;
  }
  const notice = (kind: "cancel" | "withdraw", contract: string, more: object = {}) => ({
    id: t.world.uuid(),
    kind,
    // Pasted from a table.
    name: "Lucía\tRamos",
    contract,
    email: buyer.email,
    language: "de-DE",
    timeZone: "Europe/Berlin",
    ...more,
  });
  async function send(body: object) {
    const answer = await t.call("contractNotice", { body });
    await settled();
    return answer;
  }
  const mailsTo = async (recipient: string) =>
    (
      await t.store.read
        .selectFrom("mail_outbox")
        .select(["template", "data"])
        .where("recipient", "=", recipient)
        .orderBy("created_at")
        .execute()
    ).map(({ template, data }) => ({ template, ...JSON.parse(data) }));
  const standing = async () => (await t.store.read.selectFrom("contract_notices").select("state").execute()).map(({ state }) => state);
  /** What was refunded of the charges after the first. */
  const renewalsBack = () =>
    standin.billing
      .transactions()
      .filter(({ origin }) => origin === "subscription_recurring")
      .flatMap(({ id }) => standin.billing.getTransaction(id).adjustments ?? []);
  const reconcileEach = async (ms: number, times: number) => {
    for (let n = 0; n < times; n++) {
      t.world.pass(ms);
      await payments.reconcile();
      await settled();
    }
  };
  const subscriptions = () =>
    standin.billing.subscriptions().map(({ status, scheduled_change: change }) => [status, change?.action ?? null]);
  const duties = async () =>
    (await t.store.read.selectFrom("payment_duties").select(["kind", "done_at"]).execute()).filter(
      ({ kind }) => kind !== "confirm-cancellation",
    );

  it.each(["the order's number", "the program's name"])(
    "cancels the subscription that address and %s identify, as the account page would, and its arrival is confirmed at once with the time",
    async (named) => {
      const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
      const answer = await send(notice("cancel", named === "the order's number" ? ` #${orderId.toUpperCase()} ` : "mein Parlando Abo"));
      expect(answer.at).toBe(new Date(t.world.now()).toISOString());
      expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["done"]]);
      const mails = (await mailsTo(buyer.email)).filter(({ template }) => template === "contractNotice" || template === "cancelled");
      expect(mails.toSorted((a, b) => b.template.localeCompare(a.template))).toMatchObject([
        { template: "contractNotice", kind: "cancel", at: t.world.now(), timeZone: "Europe/Berlin", name: "Lucía Ramos" },
        { template: "cancelled", until: "2026-12-20" },
      ]);
      // The second notice finds it done.
      await send(notice("cancel", orderId));
      expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["done", "done"]]);
    },
  );

  it.each(["without logging in", "in the account"])(
    "by an owner who cancels %s during a scheduled pause is answered by the mail about the cancellation alone",
    async (where) => {
      const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
      const { token } = await t.logIn(buyer);
      await t.call("subscriptionChange", { token, body: { action: "pause" } });
      await settled();
      expect(subscriptions()).toEqual([["active", "pause"]]);
      const told = async () =>
        (await mailsTo(buyer.email)).flatMap(({ template, news }) =>
          ["planNews", "cancelled"].includes(template) ? [news ?? template] : [],
        );
      expect(await told()).toEqual(["pausing"]);
      t.world.pass(60_000);
      if (where === "in the account") await t.call("subscriptionChange", { token, body: { action: "cancel" } });
      else await send(notice("cancel", orderId));
      await settled();
      expect([subscriptions(), await told()]).toEqual([[["active", "cancel"]], ["pausing", "cancelled"]]);
      // Without logging in, it may have been a stranger.
      expect((await keepToken()) !== null).toBe(where === "without logging in");
      // The cancellation is undone and the subscription continues; one mail says so, and another says that it is paused again.
      t.world.pass(60_000);
      await t.call("subscriptionChange", { token, body: { action: "keep", password: buyer.password } });
      await settled();
      t.world.pass(60_000);
      await t.call("subscriptionChange", { token, body: { action: "pause" } });
      await settled();
      expect(await told()).toEqual(["pausing", "cancelled", "kept", "pausing"]);
    },
  );

  it("whose cancellation failed after the pause was undone is answered by a mail that the subscription continues", async () => {
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    const { token } = await t.logIn(buyer);
    await t.call("subscriptionChange", { token, body: { action: "pause" } });
    await settled();
    t.world.pass(60_000);
    // The provider undoes the pause and then fails.
    const keep = standin.billing.keep;
    vi.spyOn(standin.billing, "keep").mockImplementation((id) => {
      const kept = keep(id);
      standin.setMode("broken");
      return kept;
    });
    await t.call("subscriptionChange", { token, body: { action: "cancel" } }).catch(() => null);
    standin.setMode("ok");
    await settled();
    t.world.pass(5 * 60_000);
    await payments.reconcile();
    await settled();
    const news = (await mailsTo(buyer.email)).flatMap(({ template, news: word }) => (template === "planNews" ? [word] : []));
    expect([subscriptions(), news]).toEqual([[["active", null]], ["pausing", "kept"]]);
  });

  it("without a contract gets the same answer and mail, and waits for a person", async () => {
    await buy("subscription-1m-eur");
    const answers = await Promise.all(
      [
        notice("cancel", "Parlando", { email: "nobody@example.com" }),
        notice("cancel", "another program"),
        notice("withdraw", "Parlando"),
        notice("cancel", t.world.uuid()),
      ].map((body) => send(body)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([subscriptions(), await standing()]).toEqual([[["active", null]], ["person", "person", "person", "person"]]);
    expect((await mailsTo("nobody@example.com")).map(({ template }) => template)).toEqual(["contractNotice"]);
  });

  it("cancels for an unconfirmed address too, but the account can read and erase it only once the address is confirmed, or if it names an order", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", "Parlando", { reason: "a private matter" }));
    expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["done"]]);
    const owners = async () =>
      (await t.store.read.selectFrom("contract_notices").select("account_uuid").orderBy("received_at").execute()).map(
        ({ account_uuid: uuid }) => uuid,
      );
    const { token } = await t.logIn(buyer);
    const exported = async () => {
      const { contractNotices, mails } = (await t.send("accountExport", { token })).json();
      return [contractNotices.length, mails.filter(({ template }: { template: string }) => template === "contractNotice").length];
    };
    expect([await owners(), await exported()]).toEqual([[null], [0, 0]]);
    t.world.pass(1);
    await send(notice("cancel", orderId));
    expect([await owners(), await exported()]).toEqual([
      [null, buyer.uuid],
      [1, 1],
    ]);
    const sent = (await mailsTo(buyer.email)).find(({ template }) => template === "confirmEmail");
    const confirmToken = await createLinks(secretKeys, t.world).tokenOf(t.store.read, sent?.linkId);
    await t.call("confirmEmail", { body: { confirmToken }, headers: t.deviceOf(buyer) });
    t.world.pass(1);
    await send(notice("cancel", "another program"));
    expect(await owners()).toEqual([buyer.uuid, buyer.uuid, buyer.uuid]);
  });

  it("that waits for a person stays when its account is erased; what is done is erased", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", orderId));
    t.world.pass(1);
    // It names no order, so a person must look.
    await send(notice("withdraw", `Parlando, not ${orderId.slice(1)}`));
    expect(await standing()).toEqual(["done", "person"]);
    // The account owns both notices once its address is confirmed.
    const sent = (await mailsTo(buyer.email)).find(({ template }) => template === "confirmEmail");
    const confirmToken = await createLinks(secretKeys, t.world).tokenOf(t.store.read, sent?.linkId);
    await t.call("confirmEmail", { body: { confirmToken }, headers: t.deviceOf(buyer) });
    const { token } = await t.logIn(buyer);
    await t.call("accountErase", { token, body: { password: buyer.password } });
    await t.erased();
    expect(await waitingNotices(t.store)).toMatchObject([{ kind: "withdraw", email: buyer.email, account_uuid: null }]);
    expect(await standing()).toEqual(["person"]);
  });

  it("does not end the contract of an account that came after it", async () => {
    const email = "later@example.com";
    await send(notice("cancel", "Parlando", { email, notBefore: "2026-12-01" }));
    t.world.pass(1);
    buyer = await t.signUp({ email });
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    t.world.pass(Date.parse("2026-12-01T00:00:01Z") - t.world.now());
    await payments.reconcile();
    expect([subscriptions(), await standing()]).toEqual([[["active", null]], ["person"]]);
  });

  it("counts once, however often it is sent", async () => {
    const body = notice("cancel", "Parlando");
    const first = await send(body);
    t.world.pass(60_000);
    expect(await send(body)).toEqual(first);
    expect([await standing(), (await mailsTo(buyer.email)).filter(({ template }) => template === "contractNotice").length]).toEqual([
      ["person"],
      1,
    ]);
  });

  it("without the order's number waits for a person if it would end the contract at once", async () => {
    const orderId = await buy("subscription-1m-eur");
    const [subscription] = standin.billing.subscriptions();
    const id = subscription?.id ?? "";
    standin.billing.replaceCard(id, { number: "4000002760003184", expiry: "12/40", cvc: "123", name: "Lucía" });
    t.world.pass(31 * dayMs);
    standin.billing.renew(id);
    await settled();
    expect(subscriptions()).toEqual([["past_due", null]]);
    await send(notice("cancel", "Parlando"));
    expect([subscriptions(), await standing()]).toEqual([[["past_due", null]], ["person"]]);
    await send(notice("cancel", orderId));
    expect([subscriptions(), await standing()]).toEqual([[["canceled", null]], ["person", "done"]]);
    // What has ended cannot be kept.
    const ended = (await mailsTo(buyer.email)).filter(({ template }) => template === "cancelled");
    expect(ended.map(({ until, linkId }) => [until, linkId])).toEqual([[null, undefined]]);
  });

  it("for good cause cancels, and the rest waits for a person", async () => {
    const orderId = await buy("subscription-1m-eur");
    await send(notice("cancel", orderId, { forCause: true, reason: "Der Unterricht fällt aus" }));
    expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["person"]]);
    const [waiting] = await waitingNotices(t.store);
    expect(waiting).toMatchObject({ reason: "Der Unterricht fällt aus", for_cause: 1 });
    expect([
      await markAnswered(t.store, t.world.now(), waiting?.id ?? ""),
      await markAnswered(t.store, t.world.now(), waiting?.id ?? ""),
    ]).toEqual([true, false]);
    expect([await waitingNotices(t.store), await standing()]).toEqual([[], ["done"]]);
  });

  /** The token of the link that undoes a cancellation; null without one. */
  async function keepToken() {
    const mails = (await mailsTo(buyer.email)).filter(({ template }) => template === "cancelled");
    const linkId = mails.at(-1)?.linkId;
    return linkId === undefined ? null : await createLinks(secretKeys, t.world).tokenOf(t.store.read, linkId);
  }

  it("is mailed to the owner with a link that undoes it once, until the term ends, and does nothing else", async () => {
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", "Parlando"));
    expect(subscriptions()).toEqual([["active", "cancel"]]);
    const token = (await keepToken()) ?? "";
    for (const [call, body] of [
      ["token", { token }],
      ["confirmEmail", { confirmToken: token }],
      ["undoEmail", { token }],
      ["resetLink", { token }],
    ] as const)
      expect([1004, 1005], call).toContain((await t.refusal(call, { body })).code);
    standin.setMode("broken");
    expect((await t.refusal("keepSubscription", { body: { token } })).code).toBe(1202);
    standin.setMode("ok");
    t.world.pass(1);
    await t.call("keepSubscription", { body: { token } });
    await settled();
    expect(subscriptions()).toEqual([["active", null]]);
    expect(await mailsTo(buyer.email)).toContainEqual(expect.objectContaining({ template: "planNews", news: "kept" }));
    // The owner logs in and cancels again: the used link undoes nothing, and no new one is mailed.
    const session = await t.logIn(buyer);
    t.world.pass(1);
    await t.call("subscriptionChange", { token: session.token, body: { action: "cancel" } });
    await settled();
    expect([await keepToken(), (await t.refusal("keepSubscription", { body: { token } })).code]).toEqual([null, 1004]);
    expect(subscriptions()).toEqual([["active", "cancel"]]);
  });

  it("is not undone by the link of an earlier plan's cancellation", async () => {
    const orderId = await buy("subscription-12m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", "Parlando"));
    const token = (await keepToken()) ?? "";
    await send(notice("withdraw", orderId));
    t.world.pass(60_000);
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    const session = await t.logIn(buyer);
    await t.call("subscriptionChange", { token: session.token, body: { action: "cancel" } });
    await settled();
    expect((await t.refusal("keepSubscription", { body: { token } })).code).toBe(1004);
    await settled();
    expect(subscriptions().toSorted()).toEqual([
      ["active", "cancel"],
      ["canceled", null],
    ]);
  });

  it("cannot be undone once the term has ended, nor from a mailbox that is no longer the account's", async () => {
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", "Parlando"));
    const token = (await keepToken()) ?? "";
    const address = (email: string) => t.store.write((queries) => queries.updateTable("accounts").set({ email }).execute());
    await address("elsewhere@example.com");
    expect((await t.refusal("keepSubscription", { body: { token } })).code).toBe(1004);
    await address(buyer.email);
    t.world.pass(31 * dayMs);
    expect((await t.refusal("keepSubscription", { body: { token } })).code).toBe(1004);
  });

  it.each([
    ["", {}, "done"],
    [" for good cause", { forCause: true, reason: "Der Unterricht fällt aus" }, "person"],
  ] as const)(
    "without the order's number%s cancels at most twice a week for an address, from any network; then it waits for a person",
    async (_cause, more, carriedOut) => {
      const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
      // What cancels nothing does not count.
      await send(notice("cancel", "another program", more));
      await send(notice("cancel", "another program", more));
      const states = [];
      for (let n = 0; n < 3; n++) {
        t.world.pass(1_000);
        await t.call("contractNotice", { body: notice("cancel", "Parlando", more), from: `203.0.113.${n}` });
        await settled();
        states.push(subscriptions()[0]?.[1]);
        const token = await keepToken();
        if (subscriptions()[0]?.[1] === "cancel") await t.call("keepSubscription", { body: { token: token ?? "" } });
        await settled();
      }
      expect([states, (await standing()).toSorted()]).toEqual([
        ["cancel", "cancel", null],
        ["person", "person", "person", carriedOut, carriedOut].toSorted(),
      ]);
      await send(notice("cancel", orderId));
      expect(subscriptions()).toEqual([["active", "cancel"]]);
    },
  );

  it("without the order's number, for good cause and a later day, counts towards that limit on its day", async () => {
    await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    const days = ["2026-12-01", "2026-12-02", "2026-12-03"];
    for (const notBefore of days) await send(notice("cancel", "Parlando", { forCause: true, notBefore }));
    const states = [];
    for (const day of days) {
      t.world.pass(Date.parse(`${day}T00:00:01Z`) - t.world.now());
      await payments.reconcile();
      await settled();
      states.push(subscriptions()[0]?.[1]);
      const token = await keepToken();
      if (subscriptions()[0]?.[1] === "cancel") await t.call("keepSubscription", { body: { token: token ?? "" } });
      await settled();
    }
    expect(states).toEqual(["cancel", "cancel", null]);
  });

  it("for a later day is carried out on that day", async () => {
    const orderId = await buy("subscription-1m-eur");
    await send(notice("cancel", orderId, { notBefore: "2026-12-01" }));
    expect([subscriptions(), await standing()]).toEqual([[["active", null]], ["due"]]);
    t.world.pass(Date.parse("2026-12-01T00:00:01Z") - t.world.now());
    await payments.reconcile();
    expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["done"]]);
  });

  it("may name a day within two years; a later one is refused with the latest possible day, and so is one that does not exist", async () => {
    const orderId = await buy("subscription-1m-eur");
    const latest = "2028-11-21";
    for (const notBefore of ["2028-11-22", "2030-01-01", "9999-12-31"])
      expect(await t.refusal("contractNotice", { body: notice("cancel", orderId, { notBefore }) })).toMatchObject({
        code: 1000,
        fields: { notBefore: `at most ${latest}` },
      });
    for (const notBefore of ["2026-02-30", "2027-02-29"])
      expect(await t.refusal("contractNotice", { body: notice("cancel", orderId, { notBefore }) })).toMatchObject({
        code: 1000,
        fields: { notBefore: "no such day" },
      });
    expect(await standing()).toEqual([]);
    await send(notice("cancel", orderId, { notBefore: latest }));
    expect(await standing()).toEqual(["due"]);
  });

  it("is carried out later when the provider did not answer", async () => {
    const orderId = await buy("subscription-1m-eur");
    standin.setMode("broken");
    await send(notice("cancel", orderId));
    expect([subscriptions(), await standing()]).toEqual([[["active", null]], ["due"]]);
    standin.setMode("ok");
    t.world.pass(31 * 60_000);
    await payments.reconcile();
    expect([subscriptions(), await standing()]).toEqual([[["active", "cancel"]], ["done"]]);
  });

  it("withdraws an order within the period: the contract ends at once, and everything is refunded", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    t.world.pass(14 * dayMs);
    await send(notice("withdraw", orderId));
    await payments.reconcile();
    await settled();
    expect(await standing()).toEqual(["done"]);
    expect((await duties()).map(({ kind, done_at: at }) => [kind, at !== null]).toSorted()).toEqual([
      ["cancel-subscription", true],
      ["refund", true],
    ]);
    expect(subscriptions()).toEqual([["canceled", null]]);
    const { token } = await t.logIn(buyer);
    expect((await t.call("subscription", { token })).subscription).toMatchObject({ status: "deleted" });
    // The money is on its way: the mail does not ask the buyer to ask for it.
    const sent = await t.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "cancelled").execute();
    expect(sent.map(({ data }) => JSON.parse(data).moneyBackUntil)).toEqual([null]);
    // Nor does it confirm a cancellation that nobody declared.
    const { subject, text } = await renderMail("cancelled", "de-DE", { ...JSON.parse(sent[0]?.data ?? ""), link: "https://a.example" });
    expect(subject).toBe("Dein Abo ist beendet");
    expect(text).not.toMatch(/Kündigung|gekündigt/);
  });

  it("sells an account no fourth order in thirty days after three that it withdrew: each cost the provider's fee, and they had no end", async () => {
    for (let bought = 0; bought < 3; bought += 1) {
      const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
      await send(notice("withdraw", orderId));
      await payments.reconcile();
      await settled();
    }
    const { token } = await t.logIn(buyer);
    const again = () => t.send("createTransaction", { token, body: { pricingId: "subscription-1m-eur" } });
    expect((await again()).statusCode).toBe(429);
    t.world.pass(31 * dayMs);
    expect(await buy("subscription-1m-eur")).toMatch(/-/);
  });

  it("withdraws a trial while the provider does not answer: what is charged before the subscription ends is refunded, too", async () => {
    const orderId = await buy("subscription-3m-eur", { "cf-ipcountry": "DE" });
    const [trial] = standin.billing.subscriptions();
    t.world.pass(7 * dayMs);
    standin.setMode("broken");
    await send(notice("withdraw", orderId));
    t.world.pass(60_000);
    standin.billing.renew(trial?.id ?? "");
    await settled();
    standin.setMode("ok");
    await reconcileEach(10 * 60_000, 2);
    expect(subscriptions()).toEqual([["canceled", null]]);
    expect(renewalsBack()).toMatchObject([{ action: "refund", type: "full" }]);
  });

  it.each([true, false])(
    "cancels after a charge that came in between, because the provider did not answer (order's number: %s)",
    async (isNamed) => {
      const orderId = await buy("subscription-3m-eur", { "cf-ipcountry": "DE" });
      const id = standin.billing.subscriptions()[0]?.id ?? "";
      t.world.pass(7 * dayMs - 20 * minuteMs);
      standin.setMode("broken");
      await send(notice("cancel", isNamed ? orderId : "Parlando"));
      t.world.pass(20 * minuteMs);
      standin.billing.renew(id);
      await settled();
      standin.setMode("ok");
      await reconcileEach(31 * minuteMs, 3);
      expect([await standing(), subscriptions(), renewalsBack().map(({ action, totals }) => [action, totals?.total])]).toEqual(
        isNamed ? [["done"], [["canceled", null]], [["refund", "5370"]]] : [["person"], [["active", "cancel"]], []],
      );
    },
  );

  it.each(["reported late", "paid by a later try"] as const)("withdraws a plan whose charge is %s: it is refunded, too", async (charge) => {
    const isLate = charge === "reported late";
    const orderId = await buy("subscription-3m-eur", { "cf-ipcountry": "DE" }, isLate ? undefined : "4000 0027 6000 3184");
    const id = standin.billing.subscriptions()[0]?.id ?? "";
    t.world.pass(7 * dayMs);
    hooksArrive = !isLate;
    standin.billing.renew(id);
    await settled();
    standin.setMode("broken");
    t.world.pass(60_000);
    await send(notice("withdraw", orderId));
    t.world.pass(60_000);
    if (!isLate) standin.billing.recover(id);
    hooksArrive = true;
    standin.deliveries.retryNow();
    await settled();
    standin.setMode("ok");
    await reconcileEach(10 * 60_000, 2);
    expect(subscriptions()).toEqual([["canceled", null]]);
    expect(renewalsBack()).toMatchObject([{ action: "refund", type: "full" }]);
  });

  it("withdraws an order whose refund an operator had asked for in vain: it is asked for again, or the notice would be done and nothing paid back", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    const order = await t.store.read.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
    const givenUp = { next_attempt_at: null, done_at: null, attempts: 40, error: "Paddle refused", created_at: t.world.now() };
    const ofOrder = { payment_provider: order.payment_provider, order_id: orderId, reason: "given back by support" };
    await t.store.write((queries) =>
      queries
        .insertInto("payment_duties")
        .values({ ...ofOrder, ...givenUp, kind: "refund", subject: order.transaction_id ?? "" })
        .execute(),
    );
    await send(notice("withdraw", orderId));
    expect(await standing()).toEqual(["done"]);
    expect(standin.billing.getTransaction(order.transaction_id ?? "").adjustments).toMatchObject([{ action: "refund", type: "full" }]);
    expect((await duties()).every(({ done_at: at }) => at !== null)).toBe(true);
  });

  it("withdraws an order whose subscription was cancelled before: a mail says that the access ends now, not on the day it named", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("cancel", orderId));
    await send(notice("withdraw", orderId));
    await payments.reconcile();
    await settled();
    const told = (await mailsTo(buyer.email)).filter(({ template }) => template === "cancelled");
    expect(told).toMatchObject([{ until: "2026-12-20" }, { until: null, withdrawn: true }]);
  });

  it.each(["", "Bestellnummer ", "Parlando, Nr. "])(
    "withdraws the order whose number is written as on the receipt, after “%s”",
    async (before) => {
      const orderId = await buy("subscription-12m-eur", { "cf-ipcountry": "DE" });
      await send(notice("withdraw", `${before}${orderId.slice(0, 8).toUpperCase()}`));
      await payments.reconcile();
      await settled();
      expect([await standing(), subscriptions()]).toEqual([["done"], [["canceled", null]]]);
      expect((await duties()).map(({ kind, done_at: at }) => [kind, at !== null]).toSorted()).toEqual([
        ["cancel-subscription", true],
        ["refund", true],
      ]);
    },
  );

  it("withdraws at once, whatever later day it names, because the whole price is refunded", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    await send(notice("withdraw", orderId, { notBefore: "2027-11-01" }));
    await payments.reconcile();
    await settled();
    expect([await standing(), subscriptions()]).toEqual([["done"], [["canceled", null]]]);
  });

  it("refunds nothing that the buyer's bank has already taken back", async () => {
    const orderId = await buy("onetime-3m-eur", { "cf-ipcountry": "DE" });
    const { transaction_id: transactionId } = await t.store.read.selectFrom("orders").select("transaction_id").executeTakeFirstOrThrow();
    standin.billing.adjust(transactionId ?? "", "chargeback", "full");
    await settled();
    await send(notice("withdraw", orderId));
    await payments.reconcile();
    await settled();
    expect([await standing(), await duties()]).toEqual([["done"], []]);
  });

  it("that is too late waits for a person", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    t.world.pass(16 * dayMs + 60_000);
    await send(notice("withdraw", orderId));
    expect([subscriptions(), await standing(), await duties()]).toEqual([[["active", null]], ["person"], []]);
  });

  it("is too late earlier in a locale and country with a shorter period", async () => {
    const orderId = await buy("subscription-1m-mxn", { "cf-ipcountry": "MX" });
    t.world.pass(13 * dayMs);
    await send(notice("withdraw", orderId));
    expect(await standing()).toEqual(["person"]);
  });

  const confirmations = async () =>
    (await t.store.read.selectFrom("mail_outbox").select("id").where("template", "=", "contractNotice").execute()).length;

  it("is confirmed to a mailbox twice a day for one network and ten times for all, and is always stored", async () => {
    const spelled = (n: number) => notice("cancel", "Parlando", { email: `some.body+${n}@gmail.com` });
    for (let n = 0; n < 6; n++) await t.call("contractNotice", { body: spelled(n), from: "203.0.113.1" });
    // All networks of one customer count as one.
    for (let n = 6; n < 12; n++) await t.call("contractNotice", { body: spelled(n), from: `2001:db8:1:${n}::1` });
    expect(await confirmations()).toBe(4);
    for (let n = 12; n < 20; n++) await t.call("contractNotice", { body: spelled(n), from: `203.0.113.${n}` });
    await settled();
    expect([await confirmations(), (await standing()).length]).toEqual([10, 20]);
  });

  it("of the owner is confirmed whatever strangers have sent: from a device of theirs, or with the order's number", async () => {
    const orderId = await buy("subscription-1m-eur", { "cf-ipcountry": "DE" });
    for (let n = 0; n < 20; n++) await t.call("contractNotice", { body: notice("cancel", "x"), from: `203.0.113.${n}` });
    const sends = async (contract: string, headers = {}) => {
      const before = await confirmations();
      await t.call("contractNotice", { body: notice("cancel", contract), headers, from: "198.51.100.1" });
      await settled();
      return (await confirmations()) - before;
    };
    const device = t.deviceOf(buyer);
    // The address is not confirmed, so the device that signed up with it may be a stranger's, and has no share of its own.
    expect([await sends("Parlando"), await sends("Parlando", device)]).toEqual([0, 0]);
    await t.store.write((queries) => queries.updateTable("accounts").set({ email_confirmed_at: t.world.now() }).execute());
    const shares = [];
    for (let n = 0; n < 3; n++) shares.push(await sends(orderId), await sends("Parlando", device));
    expect(shares).toEqual([1, 1, 1, 1, 1, 0]);
    expect(await sends("Parlando")).toBe(0);
  });
});

describe.each(sampledDatabases)("what a notice leads to, on %s:", (database) => {
  let t: TestApp;
  let shop: ReturnType<typeof shopOn>;
  beforeAll(async () => {
    let made: typeof shop | null = null;
    t = await createTestApp({
      database,
      parts: (on) => {
        made = shopOn(on);
        return { payments: made.payments };
      },
    });
    if (made === null) throw new Error("No shop was made");
    shop = made;
    await shop.stock();
  });
  beforeEach(() => {
    shop.said.length = 0;
    shop.provider.changeSubscription.mockReset().mockResolvedValue([]);
    shop.provider.endSubscription.mockClear();
    shop.provider.refund.mockClear();
  });
  afterAll(async () => {
    await shop.payments.stop();
    await t.close();
  });

  let sent = 0;
  const away = new ProviderFailure("unavailable", "away");
  /** How often the provider was asked to cancel each subscription. */
  const cancelled = () => shop.provider.changeSubscription.mock.calls.map(([id]) => id);
  const pass = async (time: number) => {
    t.world.pass(time);
    await shop.payments.reconcile();
  };

  /** An account with a subscription, the payments that follow the first one, and the notices about it. */
  async function owner(fact: Partial<SubscriptionFact> = {}, uuid?: string) {
    const account = uuid ?? (await shop.account());
    const order = await shop.order(account, "subscription-1m-eur");
    const subscription = `sub ${order.id}`;
    const pay = (payment: Partial<TransactionFact>) => shop.tell(shop.paid(order, { subscriptionId: subscription, ...payment }));
    const begin = async () => {
      await pay({});
      const end = t.world.now() + 365 * dayMs;
      const running = {
        status: "active",
        transactionId: order.transaction_id,
        end,
        trialing: false,
        nextCharge: end,
        change: null,
      } as const;
      await shop.tell({ kind: "subscription", id: subscription, ...running, ...fact });
    };
    const send = async (kind: "cancel" | "withdraw", contract: string, more: object = {}) => {
      const body = { id: t.world.uuid(), kind, name: "Lucía Ramos", contract, email: `${account}@example.com`, language: "de-DE", ...more };
      await t.call("contractNotice", { body, from: `10.2.${++sent >> 8}.${sent & 255}` });
      await shop.payments.settled();
    };
    const notices = () => t.store.read.selectFrom("contract_notices").where("email", "=", `${account}@example.com`).orderBy("received_at");
    const states = async () => (await notices().select("state").execute()).map(({ state }) => state);
    return { account, order, subscription, pay, begin, send, states };
  }
  async function subscriber(fact: Partial<SubscriptionFact> = {}, uuid?: string) {
    const made = await owner(fact, uuid);
    await made.begin();
    return made;
  }
  /** Two subscribers whose notices are due on the same day, which has come. */
  async function twoDue() {
    const both = [await subscriber(), await subscriber()] as const;
    const notBefore = new Date(t.world.now() + dayMs).toISOString().slice(0, 10);
    for (const { send, order } of both) await send("cancel", order.id, { notBefore });
    expect(cancelled()).toEqual([]);
    t.world.pass(dayMs);
    return both;
  }

  it("the provider's number names the order; two numbers, or that of an earlier order, do not say which plan ends", async () => {
    const first = await subscriber({ status: "canceled" });
    t.world.pass(1);
    shop.provider.createCheckout.mockResolvedValueOnce({ transactionId: `TXN_${t.world.uuid()}`, hostedUrl: null });
    const { order, subscription, send, states } = await subscriber({}, first.account);
    await send("cancel", first.order.id);
    await send("withdraw", `${first.order.id} ${order.id}`);
    expect([cancelled(), shop.provider.refund.mock.calls, await states()]).toEqual([[], [], ["person", "person"]]);
    expect(shop.said).toEqual(["person", "person"].map(() => "A notice that ends a contract waits for a person."));
    t.world.pass(1);
    await send("cancel", `Zahlung ${order.transaction_id}`);
    expect([cancelled(), await states(), shop.said.length]).toEqual([[subscription], ["person", "person", "done"], 2]);
  });

  it("the provider is not asked to cancel what is cancelled already", async () => {
    const { order, send, states } = await subscriber({ change: { action: "cancel", at: t.world.now() + dayMs } });
    await send("cancel", order.id);
    expect([cancelled(), await states()]).toEqual([[], ["done"]]);
  });

  const period = 16 * dayMs;
  it.each<[string, readonly [days: number, payment: Partial<TransactionFact>][], number, string]>([
    ["lasts two weeks and until the last day ends everywhere", [], period, "done"],
    ["is over then", [], period + 1, "person"],
    ["begins with the payment", [[3, {}]], period, "done"],
    [
      "does not begin again with a renewal",
      [
        [0, {}],
        [10, { id: "1" }],
      ],
      period - 10 * dayMs + 1,
      "person",
    ],
  ])("the time to withdraw %s", async (_, payments, later, state) => {
    const { order, subscription, begin, pay, send, states } = await owner();
    for (const [days, { id }] of payments) {
      t.world.pass(days * dayMs);
      if (id !== undefined) await pay({ id: `${id} ${order.id}`, orderId: null });
      else await begin();
    }
    if (payments.length === 0) await begin();
    t.world.pass(later);
    await send("withdraw", order.id);
    expect(await states()).toEqual([state]);
    expect(shop.provider.endSubscription.mock.calls).toEqual(state === "done" ? [[subscription]] : []);
  });

  it("a withdrawal returns every payment that was made", async () => {
    const { order, pay, send } = await subscriber();
    await pay({ id: `1 ${order.id}`, orderId: null });
    await pay({ id: `2 ${order.id}`, orderId: null, status: "open" });
    await send("withdraw", order.id);
    const reason = "withdrawn by its buyer";
    expect(shop.provider.refund.mock.calls.toSorted()).toEqual([
      [`1 ${order.id}`, reason],
      [order.transaction_id, reason],
    ]);
  });

  it("without an answer of the provider it is tried every half hour, and after 150 times a person has to look", async () => {
    shop.provider.changeSubscription.mockRejectedValue(away);
    const { account, order, send, states } = await subscriber();
    await send("cancel", order.id);
    await pass(30 * minuteMs - 1);
    expect([cancelled().length, await states()]).toEqual([1, ["due"]]);
    await pass(1);
    expect(cancelled()).toHaveLength(2);
    expect(shop.said).toEqual([1, 2].map(() => "A notice that ends a contract could not be carried out yet."));
    const tried = t.store.write((queries) =>
      queries.updateTable("contract_notices").set({ attempts: 148 }).where("account_uuid", "=", account).execute(),
    );
    await tried;
    const ends = [];
    for (let round = 0; round < 3; round++) {
      await pass(30 * minuteMs);
      ends.push([cancelled().length, ...(await states())]);
    }
    expect(ends).toEqual([
      [3, "due"],
      [4, "person"],
      [4, "person"],
    ]);
  });

  it("after an unexpected error of ours, which is logged, the notice is tried again in two minutes", async () => {
    shop.provider.changeSubscription.mockRejectedValueOnce(new Error("a defect"));
    const { order, send, states } = await subscriber();
    await send("cancel", order.id);
    expect([shop.said, await states()]).toEqual([["Notices that end a contract could not be read."], ["due"]]);
    await pass(2 * minuteMs);
    expect([cancelled().length, await states()]).toEqual([2, ["done"]]);
  });

  it("another process takes over two minutes after one that was killed, not earlier", async () => {
    const { order, send, states } = await subscriber();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<readonly []>();
    shop.provider.changeSubscription.mockImplementationOnce(() => {
      asked.resolve();
      return answer.promise;
    });
    const sending = send("cancel", order.id);
    await asked.promise;
    const other = shop.newProcess();
    for (const [time, times] of [
      [0, 1],
      [2 * minuteMs - 1, 1],
      [1, 2],
    ] as const) {
      t.world.pass(time);
      await other.reconcile();
      expect(cancelled()).toHaveLength(times);
    }
    answer.resolve([]);
    await sending;
    expect([cancelled().length, await states()]).toEqual([2, ["done"]]);
  });

  it("what another process has carried out meanwhile is left to it", async () => {
    const both = await twoDue();
    shop.provider.changeSubscription.mockImplementationOnce(async () => {
      await shop.newProcess().reconcile();
      return [];
    });
    await shop.payments.reconcile();
    expect(cancelled().toSorted()).toEqual(both.map(({ subscription }) => subscription).toSorted());
    for (const { states } of both) expect(await states()).toEqual(["done"]);
  });

  it("a process that stops begins with none", async () => {
    await twoDue();
    const stopping = shop.newProcess();
    shop.provider.changeSubscription.mockImplementationOnce(async () => {
      void stopping.stop();
      return [];
    });
    await stopping.reconcile();
    expect(cancelled()).toHaveLength(1);
    await shop.payments.reconcile();
    expect(cancelled()).toHaveLength(2);
  });

  it("the limit without the order's number counts a week's cancellations, those with the number, too", async () => {
    const { order, send, states } = await subscriber();
    for (const [later, contract] of [
      [0, order.id],
      [6 * dayMs, "Parlando"],
      [1, "Parlando"],
      [dayMs - 1, "Parlando"],
      [1, "Parlando"],
    ] as const) {
      t.world.pass(later);
      await send("cancel", contract);
    }
    expect([cancelled().length, await states()]).toEqual([3, ["done", "done", "person", "done", "person"]]);
  });
});

// SQLite has one writer at a time.
it.skipIf(!databases.includes("postgres"))(
  "a notice that is sent twice at the same time counts once, and both get its time, on postgres",
  async () => {
    const t = await createTestApp({ database: "postgres" });
    const id = "00000000-0000-4000-8000-000000000001";
    const [written, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = t.store.write(async (queries) => {
      await queries
        .insertInto("contract_notices")
        .values({
          id,
          kind: "cancel",
          received_at: t.world.now() - 5,
          locale: "de-DE",
          time_zone: null,
          account_uuid: null,
          email: "ana@example.com",
          name: "Ana",
          contract: "Parlando",
          for_cause: 0,
          reason: null,
          not_before: null,
          state: "due",
          attempts: 0,
          next_attempt_at: t.world.now(),
          done_at: null,
        })
        .execute();
      written.resolve();
      await waiting.promise;
    });
    await written.promise;
    const body = { id, kind: "cancel", name: "Ana", contract: "Parlando", email: "ana@example.com", language: "de-DE" };
    const second = t.call("contractNotice", { body });
    const waits = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waits.execute(t.store.read)).rows[0]?.n).toBe(1);
    waiting.resolve();
    await first;
    expect(await second).toEqual({ at: new Date(t.world.now() - 5).toISOString() });
    expect(await t.store.read.selectFrom("mail_outbox").select("id").execute()).toEqual([]);
    await t.close();
  },
);
