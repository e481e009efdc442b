/** Every change of money or access is reported by one mail, whoever made it, with the provider's amounts and days. */
import { sampledDatabases } from "#test/app.ts";
import { dayMs, type PaymentBed, paymentBeds } from "#test/payments.ts";
import { renderMail } from "../mail/templates/index.tsx";
import { describe, expect, it } from "vitest";

const providers = [
  { provider: "paddlebilling", suffix: "" },
  { provider: "paddle", suffix: "-classic" },
] as const;
const failsLater = "4000 0027 6000 3184";

describe.each(sampledDatabases.flatMap((database) => providers.map((provider) => ({ database, ...provider }))))(
  "a plan's mails by $provider on $database",
  ({ database, suffix }) => {
    const at = paymentBeds(database);

    /** An account with a plan, and the mails that it gets from now on. */
    async function owner(product: string, options: { readonly card?: string; readonly couponCode?: string } = {}, account?: string) {
      const uuid = account ?? (await at.bed.account());
      const purchase = await at.bed.buy(uuid, `${product}${suffix}`, options);
      const { engine, subscriptionId } = purchase;
      const seen = new Set<string>();
      /** The mails in the outbox since the last call. */
      const mails = async () => {
        const query = at.store.read.selectFrom("mail_outbox").selectAll().where("account_uuid", "=", uuid);
        const rows = (await query.orderBy("created_at").execute()).filter(({ id }) => !seen.has(id));
        for (const { id } of rows) seen.add(id);
        return rows.map(({ template, data }) => ({ template, ...JSON.parse(data) }));
      };
      const told = async () => (await mails()).map(({ template, news }) => news ?? template).toSorted();
      /** Moves the clock to a minute after the subscription's next date. */
      const next = async () => {
        const { scheduled_change: change, next_billed_at: billed } = engine.getSubscription(subscriptionId);
        at.bed.clock.now = Math.max(at.bed.clock.now, Date.parse(change?.effective_at ?? billed ?? "")) + 60_000;
        engine.renew(subscriptionId);
        await at.bed.settled();
      };
      const does = async (action: "cancel" | "pause" | "resume" | "keep") => {
        at.bed.clock.now += dayMs;
        await at.bed.payments.changePlan(uuid, action);
        await at.bed.settled();
      };
      return { uuid, ...purchase, mails, told, next, does };
    }
    const day = (time: string | null | undefined) => time?.slice(0, 10) ?? null;

    it("tell the last day of the withdrawal period where the law has one", async () => {
      const { mails } = await owner("subscription-3m-mxn");
      expect(await mails()).toMatchObject([{ template: "receipt", withdrawUntil: null }]);
      const german = await at.bed.account();
      await at.store.write((queries) => queries.updateTable("accounts").set({ locale: "de-DE" }).where("uuid", "=", german).execute());
      await at.bed.buy(german, "subscription-3m-eur");
      const [mail] = await at.store.read.selectFrom("mail_outbox").select("data").where("account_uuid", "=", german).execute();
      expect(JSON.parse(mail?.data ?? "{}")).toMatchObject({ paidOn: "2026-11-20", withdrawUntil: "2026-12-04" });
    });

    it("report the first charge after the trial, a renewal, and a failed one that is paid later", async () => {
      const { engine, subscriptionId, mails, told, next } = await owner("subscription-3m-mxn", { couponCode: "AMIGOS20" });
      expect(await mails()).toMatchObject([{ template: "receipt", price: 59_760, paid: 0, trialDays: 7, isBack: false }]);
      await next();
      const due = () => day(engine.getSubscription(subscriptionId).next_billed_at);
      const charge = { template: "planNews", total: 59_760, price: 59_760, tax: 0, currency: "MXN", at: null };
      expect(await mails()).toMatchObject([{ ...charge, news: "begun", on: "2026-11-27", next: due() }]);
      await next();
      expect(await mails()).toMatchObject([{ ...charge, news: "renewed", on: "2027-02-27", next: due() }]);
      await next();
      expect(await told()).toEqual(["renewed"]);
    });

    it("report a failed charge, and its later payment", async () => {
      const { engine, subscriptionId, mails, told, next } = await owner("subscription-1m-mxn", { card: failsLater });
      expect(await told()).toEqual(["receipt"]);
      await next();
      expect(await mails()).toMatchObject([{ news: "failed", total: null, price: 34_900 }]);
      engine.recover(subscriptionId);
      await at.bed.settled();
      expect(await mails()).toMatchObject([{ news: "recovered", total: 34_900 }]);
    });

    it("name the guarantee's last day on the receipt of the first payment, and no guarantee on a renewal after that day", async () => {
      const { mails, next } = await owner("subscription-3m-mxn");
      const receiptOf = async (locale: "de-DE" | "en-US") => {
        const [mail] = (await mails()).filter(({ template }) => template === "planNews");
        return (await renderMail("planNews", locale, { ...mail, link: "https://a.example" })).text.replaceAll("\u00a0", " ");
      };
      await next();
      expect(await receiptOf("de-DE")).toContain("Garantie\nBis zum 27. Dezember 2026: ");
      await next();
      expect(await receiptOf("en-US")).not.toContain("Guarantee");
    });

    it("report that a plan which was never paid has ended", async () => {
      const { engine, subscriptionId, told, next } = await owner("subscription-1m-mxn", { card: failsLater });
      await next();
      engine.cancel(subscriptionId, true);
      await at.bed.settled();
      expect(await told()).toEqual(["failed", "receipt", "unpaid"]);
    });

    it("report a pause, its end with the charge, and a pause that was undone", async () => {
      const { engine, subscriptionId, mails, told, next, does } = await owner("subscription-1m-mxn");
      await told();
      const until = day(engine.getSubscription(subscriptionId).next_billed_at);
      await does("pause");
      expect(await mails()).toMatchObject([{ news: "pausing", at: until, total: null }]);
      await next();
      // The pause was announced before.
      expect(await told()).toEqual([]);
      await does("resume");
      expect(await told()).toEqual(["renewed", "resumed"]);
      at.bed.clock.now += dayMs;
      engine.pause(subscriptionId, true);
      await at.bed.settled();
      expect(await told()).toEqual(["paused"]);
    });

    it("report only the failed charge when the charge at the end of a pause fails", async () => {
      const { engine, subscriptionId, told, does } = await owner("subscription-1m-mxn", { card: failsLater });
      at.bed.clock.now += dayMs;
      engine.pause(subscriptionId, true);
      await at.bed.settled();
      await told();
      await does("resume");
      expect(await told()).toEqual(["failed"]);
    });

    it("report a cancellation once, made here or at the provider, and its undoing", async () => {
      const { engine, subscriptionId, mails, told, next, does } = await owner("subscription-1m-mxn");
      await told();
      const until = day(engine.getSubscription(subscriptionId).next_billed_at);
      await does("cancel");
      expect(await mails()).toMatchObject([{ template: "cancelled", until }]);
      if (suffix === "") {
        await does("keep");
        expect(await mails()).toMatchObject([{ news: "kept", next: until, price: 34_900 }]);
        engine.cancel(subscriptionId, false);
        await at.bed.settled();
        expect(await mails()).toMatchObject([{ template: "cancelled", until }]);
      }
      await next();
      expect(await told()).toEqual([]);
      expect(await at.store.read.selectFrom("payment_duties").select("kind").execute()).toEqual([]);
    });

    it("name the last day of the money-back guarantee with a cancellation, as the account page does", async () => {
      const { uuid, mails, does } = await owner("subscription-1m-mxn");
      await does("cancel");
      const until = "2026-12-20";
      const mail = (await mails()).find(({ template }) => template === "cancelled");
      expect(mail).toMatchObject({ moneyBackUntil: until });
      const { text } = await renderMail("cancelled", "en-US", { ...mail, link: "https://a.example" });
      expect(text).toMatch(/reply to this email by December\s20, 2026/);
      const told = async () => (await at.bed.payments.planOf(uuid))?.moneyBackUntil;
      expect(await told()).toBe(until);
      at.bed.clock.now = Date.parse(`${until}T23:59:00Z`);
      expect(await told()).toBe(until);
      at.bed.clock.now = Date.parse("2026-12-21T00:01:00Z");
      expect(await told()).toBeNull();
    });

    it("do not mention the guarantee for a trial that was never charged, after its end, or after the refund", async () => {
      const cancelledMail = async (plan: Awaited<ReturnType<typeof owner>>) => {
        await plan.does("cancel");
        const mail = (await plan.mails()).find(({ template }) => template === "cancelled");
        const { text } = await renderMail("cancelled", "en-US", { ...mail, link: "https://a.example" });
        return [mail?.moneyBackUntil, text.includes("money back")];
      };
      expect(await cancelledMail(await owner("subscription-3m-mxn"))).toEqual([null, false]);
      const late = await owner("subscription-6m-mxn-notrial");
      at.bed.clock.now += 30 * dayMs;
      expect(await cancelledMail(late)).toEqual([null, false]);
      const refunded = await owner("onetime-6m-mxn");
      expect((await at.bed.payments.planOf(refunded.uuid))?.moneyBackUntil).not.toBeNull();
      refunded.engine.adjust(refunded.transactionId, "refund", "full");
      await at.bed.settled();
      expect((await at.bed.payments.planOf(refunded.uuid))?.moneyBackUntil).toBeNull();
    });

    it("count the guarantee of a trial from its first charge", async () => {
      const { uuid, next, does } = await owner("subscription-3m-mxn");
      await next();
      await does("cancel");
      expect((await at.bed.payments.planOf(uuid))?.moneyBackUntil).toBe("2026-12-27");
    });

    it("report an immediate cancellation at the provider", async () => {
      const { engine, subscriptionId, mails, told } = await owner("subscription-1m-mxn");
      await told();
      engine.cancel(subscriptionId, true);
      await at.bed.settled();
      expect(await mails()).toMatchObject([{ template: "cancelled", until: null }]);
    });

    it("report a refund, and that access ends on that day", async () => {
      const { uuid, engine, transactionId, mails, told } = await owner("onetime-6m-mxn");
      await told();
      at.bed.clock.now += dayMs;
      engine.adjust(transactionId, "refund", "partial", 10_000);
      await at.bed.settled();
      expect(await mails()).toMatchObject([{ news: "partRefunded", total: 10_000 }]);
      expect(await at.bed.entitlements(uuid)).toEqual([{ status: "active", days: 180 }]);
      at.bed.clock.now += dayMs;
      engine.adjust(transactionId, "refund", "full");
      await at.bed.settled();
      expect(await mails()).toMatchObject([{ news: "refunded", total: 139_900 }]);
      at.bed.clock.now += dayMs;
      expect(await at.bed.entitlements(uuid)).toEqual([{ status: "deleted", days: -1 }]);
    });

    it("report that a refunded subscription goes on unless it is cancelled too, and end it when its owner buys another", async () => {
      const { uuid, engine, subscriptionId, transactionId, mails, told } = await owner("subscription-1m-mxn");
      await told();
      at.bed.clock.now += dayMs;
      engine.adjust(transactionId, "refund", "full");
      await at.bed.settled();
      const due = day(engine.getSubscription(subscriptionId).next_billed_at);
      const [mail, ...others] = await mails();
      expect([mail, others]).toMatchObject([{ news: "refunded", total: 34_900, next: due, price: 34_900 }, []]);
      const { text } = await renderMail("planNews", "en-US", { ...mail, link: "https://a.example" });
      expect(text).toContain("Your subscription isn’t canceled");
      at.bed.clock.now += dayMs;
      await at.bed.buy(uuid, `subscription-12m-mxn${suffix}`);
      await at.bed.payments.reconcile();
      await at.bed.settled();
      // Classic ends a subscription with its paid period, and charges nothing more.
      const { status, scheduled_change: change } = engine.getSubscription(subscriptionId);
      expect([status, change?.action]).toContainEqual(suffix === "" ? "canceled" : "cancel");
      expect(await told()).toEqual(["receipt"]);

      const ended = await owner("subscription-1m-mxn");
      await ended.told();
      await ended.does("cancel");
      await ended.told();
      engine.adjust(ended.transactionId, "refund", "full");
      await at.bed.settled();
      expect(await ended.mails()).toMatchObject([{ news: "refunded", next: null }]);
    });

    it("report the whole refund of an earlier period, and of a plan that has ended, without an end of access", async () => {
      const { engine, subscriptionId, transactionId, mails, told, next } = await owner("subscription-1m-mxn");
      await next();
      await told();
      engine.adjust(transactionId, "refund", "full");
      await at.bed.settled();
      const [running] = await mails();
      expect(running).toMatchObject({ news: "partRefunded", total: 34_900 });
      expect(running).not.toHaveProperty("over");
      const ended = await owner("subscription-1m-mxn");
      engine.cancel(ended.subscriptionId, true);
      await at.bed.settled();
      await ended.told();
      at.bed.clock.now += dayMs;
      engine.adjust(ended.transactionId, "refund", "full");
      await at.bed.settled();
      const [mail] = await ended.mails();
      expect(mail).toMatchObject({ news: "partRefunded", total: 34_900, over: true });
      const { text } = await renderMail("planNews", "de-DE", { ...mail, link: "https://parlando.example/manage" });
      expect(text).not.toContain("Sonst ändert sich nichts");
      expect(engine.getSubscription(subscriptionId).status).toBe("active");
    });

    it("report the refund of a surplus payment", async () => {
      const { uuid, told } = await owner("subscription-1m-mxn");
      await told();
      // A pay link or form that was open in another tab.
      await at.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
      const second = await at.bed.payments.open({
        accountUuid: uuid,
        productId: `onetime-3m-mxn${suffix}`,
        couponCode: undefined,
        mayCreate: async () => null,
      });
      await at.store.write((queries) => queries.updateTable("entitlements").set({ status: "active" }).execute());
      if (second.kind !== "open") throw new Error(second.kind);
      await payFor(at.bed, suffix, second.checkout);
      await at.bed.payments.reconcile();
      await at.bed.settled();
      expect(await told()).toEqual(["returned"]);
    });

    it("greet a returning customer, and do not mention the old plan that the new one ends", async () => {
      const first = await owner("subscription-1m-mxn");
      first.engine.pause(first.subscriptionId, true);
      await at.bed.settled();
      expect(await first.told()).toEqual(["paused", "receipt"]);
      await at.bed.buy(first.uuid, `subscription-6m-mxn${suffix}`, { couponCode: "VUELVE30" });
      await at.bed.payments.reconcile();
      await at.bed.settled();
      expect(first.engine.getSubscription(first.subscriptionId).status).toBe("canceled");
      const [mail, ...others] = await first.mails();
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ template: "receipt", isBack: true, plan: "6M", price: 83_580 });
      const { subject, text } = await renderMail("receipt", "es-419", {
        ...mail,
        appLink: "https://a.example",
        withdrawLink: "https://a.example",
        manageLink: "https://b.example",
      });
      expect(subject).toBe("Qué gusto tenerte de vuelta en Parlando");
      expect(text).toContain("$835.80");
    });

    it("are sent once, however often and in however many processes the change is learned", async () => {
      const { told, next, does, uuid } = await owner("subscription-1m-mxn");
      await next();
      await does("pause");
      expect(await told()).toEqual(["pausing", "receipt", "renewed"]);
      await at.store.write((queries) => queries.updateTable("provider_events").set({ applied_at: null }).execute());
      await Promise.all([at.bed.payments, at.bed.newProcess(), at.bed.newProcess()].map((process) => process.reconcile()));
      await at.bed.settled();
      expect(await told()).toEqual([]);
      expect(await at.bed.entitlements(uuid)).toMatchObject([{ status: "active" }]);
    });
  },
);

/** Pays an order that was opened before. */
async function payFor(
  bed: PaymentBed,
  suffix: string,
  { transactionId, hostedUrl }: { readonly transactionId: string | null; readonly hostedUrl: string | null },
) {
  const engine = suffix === "" ? bed.standin.billing : bed.standin.classic?.billing;
  const inner = suffix === "" ? transactionId : bed.standin.classic?.open(hostedUrl ?? "").id;
  if (engine === undefined || inner == null) throw new Error("nothing to pay");
  engine.setBuyer(inner, { email: "lucia@ejemplo.mx", countryCode: "MX" });
  engine.pay(inner, { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Lucía Ramos" });
  await bed.settled();
}
