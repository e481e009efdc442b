/**
 * For tests: four processes on one PostgreSQL do everything that must happen exactly once, triggered by visitors, buyers, a provider and an operator.
 * One process kills itself on the way and is restarted. The effects on outside services are counted.
 */
import { versions } from "#content/questionnaires/index.ts";
import { dayStart } from "#server/events/funnelDays.ts";
import { keepEvents } from "#server/events/keep.ts";
import type { World } from "#server/base/world.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { createOperatorLink } from "#server/studio/operators/links.ts";
import { addOperator } from "#server/studio/operators/operators.ts";
import { createConversionStandin } from "#standins/conversions/conversions.ts";
import { type Grounds, type Hook, preparePayments, type RunningServer } from "#test/killedPayments.ts";
import { storeProofs } from "#test/releaseProofs.ts";
import { walker } from "#test/traffic.ts";
import { type TricklingSmtp, startTricklingSmtp } from "#test/tricklingSmtp.ts";
import Fastify from "fastify";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

export const processes = 4;
const secretKey = "a-key-for-tests-that-is-long-enough";
const publicUrl = "https://parlando.example";
const hour = 60 * 60_000;
const day = 24 * hour;
/** Time leap longer than any claim or lease, ms. */
const leapMs = 15 * 60_000;
/** Visitors come at noon two days ago, so that both their day and the day after it are over. */
const cameAt = dayStart(Date.now()) - 2 * day + 12 * hour;
const visitors = 40;
const oldRows = 2_500;
const youngRows = 5;
const unsent = 20;
const alarmed = "alarms@team.example";
const world: World = { now: Date.now, uuid: randomUUID, randomBytes, wait: sleep };

/** The requests to outside services, by their idempotency keys. */
interface Outside {
  readonly smtp: TricklingSmtp;
  readonly conversions: readonly string[];
  readonly alarms: readonly string[];
  readonly address: string;
  readonly close: () => Promise<void>;
}

async function outsideServices(): Promise<Outside> {
  const smtp = await startTricklingSmtp();
  const networks = createConversionStandin();
  const conversions: string[] = [];
  const alarms: string[] = [];
  const receiver = Fastify();
  receiver.addHook("preHandler", async ({ url, body }) => {
    for (const [, id] of JSON.stringify(body ?? {}).matchAll(/"event_id":"([^"]+)"/g)) conversions.push(`${url.split("/")[1]} ${id}`);
  });
  receiver.post("/alarm", async ({ headers }) => void alarms.push(String(headers["parlando-delivery"])));
  await receiver.register(networks.plugin);
  const address = await receiver.listen({ host: "127.0.0.1", port: 0 });
  return { smtp, conversions, alarms, address, close: async () => void (await Promise.all([smtp.close(), receiver.close()])) };
}

/** Creates background work: a finished day to count, old rows to delete, a duty that was given up. */
async function leaveWork({ store }: Grounds, alarmsAt: string): Promise<void> {
  const at = cameAt;
  await store.write(async (queries) => {
    for (let n = 0; n < visitors; n++) {
      const walk = walker({ device: randomUUID(), startsAt: at, newId: randomUUID }).shown(2).answers(2).shown(3);
      await keepEvents(queries, { ...walk, versions, sentAt: at, accountUuid: null, country: "MX", receivedAt: at + hour });
    }
    const line = (years: number, kind: string) => ({
      id: randomUUID(),
      at: Date.now() - years * 365 * day,
      account_uuid: null,
      kind,
      data: "",
    });
    await queries
      .insertInto("audit")
      .values(Array.from({ length: oldRows }, () => line(4, "old")))
      .execute();
    await queries
      .insertInto("audit")
      .values(Array.from({ length: youngRows }, () => line(0, "young")))
      .execute();
    const channel = (name: string, target: string) => ({ name, target, secret: "secret" });
    await queries
      .insertInto("alert_channels")
      .values([channel("mail", alarmed), channel("webhook", alarmsAt)])
      .execute();
    const duty = {
      payment_provider: "paddlebilling",
      kind: "refund",
      subject: "given up",
      order_id: null,
      reason: "",
      transaction_id: null,
      amount: null,
    };
    await queries
      .insertInto("payment_duties")
      .values({ ...duty, created_at: at, attempts: 40, next_attempt_at: null, done_at: null, error: "away" })
      .execute();
  });
  await storeProofs(store);
}

/** A buyer with consent to statistics, from a country whose purchases are reported. */
async function buyer({ bed, store }: Grounds): Promise<string> {
  const account = await bed.account();
  const device = randomUUID();
  const now = Date.now();
  const about = { locale: null, country: "MX", platform: null, campaign: null, steps: "[[],0,0,[],null]" };
  await store.write(async (queries) => {
    await queries.insertInto("event_devices").values({ device_id: device, visitor: account, sequence: 1 }).execute();
    await queries
      .insertInto("journeys")
      .values({ device_id: device, version: "76", started_at: now, last_at: now, ...about })
      .execute();
  });
  return account;
}

/** Unsent mails and conversions of an ended process, which all four processes find in their first rounds. */
async function leaveUnsent({ store }: Grounds, buyers: readonly string[]): Promise<void> {
  await store.write(async (queries) => {
    for (let n = 0; n < unsent; n++)
      await queueMail(queries, world, {
        accountUuid: null,
        template: "loginUnknown",
        locale: "es-419",
        recipient: `${n}@ejemplo.mx`,
        data: { path: "/" },
      });
    const order = await queries
      .selectFrom("orders")
      .selectAll()
      .where("account_uuid", "in", [...buyers])
      .executeTakeFirstOrThrow();
    const paid = { status: "completed", transaction_id: null, subscription_id: null, hosted_url: null, updated_at: Date.now() };
    await queries
      .insertInto("orders")
      .values(Array.from({ length: unsent }, () => ({ ...order, ...paid, id: randomUUID() })))
      .execute();
  });
}

/** Some buyers pay once, some at both providers: one of these two payments must be refunded. */
async function purchases(grounds: Grounds): Promise<{ readonly hooks: readonly Hook[]; readonly buyers: readonly string[] }> {
  const { bed } = grounds;
  const buyers: string[] = [];
  bed.clock.now = Date.now();
  for (let n = 0; n < processes; n++) {
    const account = await buyer(grounds);
    buyers.push(account);
    if (n % 2 === 1) {
      await bed.buy(account, "onetime-6m-mxn");
      continue;
    }
    const link = await bed.payments.open({
      accountUuid: account,
      productId: "onetime-3m-mxn-classic",
      couponCode: undefined,
      mayCreate: async () => null,
    });
    if (link.kind !== "open") throw new Error(link.kind);
    const opened = bed.standin.classic?.open(link.checkout.hostedUrl ?? "");
    await bed.buy(account, "subscription-1m-mxn");
    bed.standin.classic?.billing.setBuyer(opened?.id ?? "", { email: "lucia@ejemplo.mx", countryCode: "MX" });
    bed.standin.classic?.billing.pay(opened?.id ?? "", { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Lucía" });
  }
  return { hooks: grounds.sent(), buyers };
}

const json = { "content-type": "application/json" };
/** A call to a process. Null if the process is killed meanwhile. */
const ask = (server: RunningServer | undefined, path: string, init: RequestInit) =>
  fetch(`${server?.base?.replace(/\/api$/, "")}${path}`, init).catch(() => null);

function signUp(server: RunningServer): Promise<Response | null> {
  const uuid = randomUUID();
  const person = {
    uuid,
    email: `${uuid}@ejemplo.mx`,
    password: "correct horse",
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
  };
  return ask(server, "/api/signup", { method: "POST", headers: json, body: JSON.stringify(person) });
}

/** Creates an operator's session, which is valid for all processes. */
async function operatorAt(server: RunningServer | undefined, { store }: Grounds): Promise<string> {
  const { token } = await store.write(async (queries) => {
    const { id } = await addOperator(queries, world, { email: "ana@team.example", name: "Ana", role: "admin" }, null);
    return createOperatorLink(queries, world, [secretKey], { purpose: "invitation", operatorId: id });
  });
  const headers = { ...json, origin: publicUrl, "sec-fetch-site": "same-origin" };
  const entered = await ask(server, "/studio/api/enterByLink", { method: "POST", headers, body: JSON.stringify({ token }) });
  expect(entered?.status).toBe(200);
  return (entered?.headers.getSetCookie() ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

const lookAtVersions = (server: RunningServer, cookie: string) =>
  ask(server, "/studio/api/versions", { headers: { cookie, "sec-fetch-site": "same-origin" } });

/** Numbers of unfinished items. */
async function undone({ store, unapplied }: Grounds, waiting: readonly Hook[]) {
  const due = async (table: "payment_duties" | "conversions" | "mail_outbox" | "alert_deliveries") =>
    (await store.read.selectFrom(table).select("attempts").where("next_attempt_at", "is not", null).execute()).length;
  const old = await store.read.selectFrom("audit").select("id").where("kind", "=", "old").execute();
  const days = await store.read
    .selectFrom("funnel_days")
    .select("day")
    .where("counted_at", "is not", null)
    .where("day", "=", dayStart(cameAt))
    .execute();
  const alarms = await store.read.selectFrom("alerts").select("id").where("rule", "=", "duties-wait").execute();
  return {
    hooks: waiting.length + (await unapplied()),
    duties: await due("payment_duties"),
    conversions: await due("conversions"),
    mails: await due("mail_outbox"),
    deliveries: await due("alert_deliveries"),
    old: old.length,
    days: 1 - days.length,
    alarms: 1 - alarms.length,
  };
}

const nothing = { hooks: 0, duties: 0, conversions: 0, mails: 0, deliveries: 0, old: 0, days: 0, alarms: 0 };

/** Items sent more than once. Twice is allowed only after a second claim, when the first claimant was killed before recording the result. */
function toldTwice(what: string, told: readonly string[], triesOf: ReadonlyMap<string, number>): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of told) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [
    ...[...counts]
      .filter(([name, times]) => times > (triesOf.get(name) ?? 0))
      .map(([name, times]) => `${what} ${name} was told ${times} times`),
    ...[...triesOf.keys()].filter((name) => !counts.has(name)).map((name) => `${what} ${name} was never told`),
  ];
}

/** All differences from the result of a single process, as sentences. */
async function faultsOf({ store, bed }: Grounds, outside: Outside, buyers: readonly string[]): Promise<readonly string[]> {
  const { read } = store;
  const mails = await read.selectFrom("mail_outbox").select(["id", "attempts", "recipient"]).execute();
  const conversions = await read.selectFrom("conversions").select(["order_id", "destination", "attempts"]).execute();
  const deliveries = await read.selectFrom("alert_deliveries").select(["id", "attempts"]).execute();
  const alerts = await read.selectFrom("alerts").selectAll().execute();
  const releases = await read.selectFrom("releases").select(["version", "number"]).execute();
  const days = await read.selectFrom("funnel_days").selectAll().where("day", "=", dayStart(cameAt)).execute();
  const counts = await read.selectFrom("funnel_day_counts").select("visitors").where("whole", "=", 1).execute();
  const young = await read.selectFrom("audit").select("id").where("kind", "=", "young").execute();
  const domain = outside.smtp.ids[0]?.replace(/^.*@|>$/g, "");
  const faults = [
    ...toldTwice("the mail", outside.smtp.ids, new Map(mails.map(({ id, attempts }) => [`<${id}@${domain}>`, attempts]))),
    ...toldTwice(
      "the conversion",
      outside.conversions,
      new Map(conversions.map((row) => [`${row.destination} purchase:${row.order_id}`, row.attempts])),
    ),
    ...toldTwice("the alarm", outside.alarms, new Map(deliveries.map(({ id, attempts }) => [id, attempts]))),
  ];
  const many = [...mails, ...conversions, ...deliveries].filter(({ attempts }) => attempts > 2).length;
  if (many > 0) faults.push(`${many} were tried more than twice, and one process was killed`);
  const begunAndEnded = alerts.length + alerts.filter(({ ended_at: end }) => end !== null).length;
  const tellings = {
    alarms: alerts.filter(({ rule }) => rule === "duties-wait").length,
    mails: mails.filter(({ recipient }) => recipient === alarmed).length,
    deliveries: deliveries.length,
  };
  if (tellings.alarms !== 1 || tellings.mails !== begunAndEnded || tellings.deliveries !== begunAndEnded)
    faults.push(`alarms: ${JSON.stringify(tellings)} of ${begunAndEnded}`);
  if (releases.length !== versions.length || releases.some(({ number }) => number !== 1))
    faults.push(`releases: ${JSON.stringify(releases)}`);
  if (days.length !== 1 || days[0]?.edition !== 1 || counts.length !== 1 || counts[0]?.visitors !== visitors)
    faults.push(`days: ${JSON.stringify([days, counts])}`);
  if (young.length !== youngRows) faults.push(`${young.length} of ${youngRows} young rows are left`);
  return [...faults, ...(await paymentFaults({ store, bed }, buyers))];
}

async function paymentFaults({ store, bed }: Pick<Grounds, "store" | "bed">, buyers: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  let given = 0;
  for (const engine of [bed.standin.billing, bed.standin.classic?.billing])
    for (const { id } of engine?.transactions() ?? []) {
      const refunds = (engine?.getTransaction(id).adjustments ?? []).filter(({ action }) => action === "refund").length;
      given += refunds;
      if (refunds > 1) faults.push(`${id} was refunded ${refunds} times`);
    }
  if (given !== processes / 2) faults.push(`${given} of ${processes / 2} payments went back`);
  for (const account of buyers) {
    const entitled = await store.read
      .selectFrom("entitlements")
      .select("status")
      .where("account_uuid", "=", account)
      .where("status", "=", "active")
      .execute();
    const receipts = await store.read
      .selectFrom("mail_outbox")
      .select("id")
      .where("account_uuid", "=", account)
      .where("template", "=", "receipt")
      .execute();
    if (entitled.length !== 1 || receipts.length !== 1) faults.push(`${account}: ${entitled.length} plans, ${receipts.length} receipts`);
  }
  return faults;
}

/**
 * @param killAt the await at which one of the processes kills itself
 * @returns the faults found
 */
export async function runFleet(killAt: number): Promise<readonly string[]> {
  const grounds = await preparePayments("postgres");
  const outside = await outsideServices();
  try {
    await leaveWork(grounds, `${outside.address}/alarm`);
    const { hooks, buyers } = await purchases(grounds);
    await leaveUnsent(grounds, buyers);
    const start = (more: Readonly<Record<string, string>> = {}) =>
      grounds.start({
        env: {
          SECRET_KEYS: secretKey,
          PUBLIC_URL: publicUrl,
          SMTP_URL: outside.smtp.url,
          CONVERSIONS_AT: outside.address,
          PADDLE_AT: grounds.bed.apis.billing,
          PADDLE_CLASSIC_AT: grounds.bed.apis.classic,
          LEAP_MS: String(leapMs),
          ROUNDS: "all",
          ...more,
        },
      });
    const [doomed, ...others] = await Promise.all([
      start({ KILL_AT: String(killAt) }),
      ...Array.from({ length: processes - 1 }, () => start()),
    ]);
    const servers = [doomed, ...others];
    const cookie = await operatorAt(others[0], grounds);
    const waiting = new Set(hooks);
    const post = async (server: RunningServer | undefined, hook: Hook, ahead = 0) => {
      if ((await server?.post(hook, undefined, ahead))?.status === 200) waiting.delete(hook);
    };
    await Promise.all([
      ...hooks.map((hook, index) => post(servers[index % processes], hook)),
      ...servers.flatMap((server) => [signUp(server), signUp(server), lookAtVersions(server, cookie)]),
    ]);
    // The doomed process works until it reaches that await.
    await expect.poll(() => doomed.hasEnded()).toBe(true);
    for (const server of others) server.leap();
    const again = await start({ CLOCK_AHEAD_MS: String(leapMs) });
    await lookAtVersions(again, cookie);
    const left = async () => {
      for (const hook of [...waiting, ...grounds.sent()]) {
        waiting.add(hook);
        await post(again, hook, leapMs);
      }
      return undone(grounds, [...waiting]);
    };
    await expect.poll(left, { interval: 200 }).toEqual(nothing);
    return await faultsOf(grounds, outside, buyers);
  } finally {
    await grounds.close();
    await outside.close();
  }
}
