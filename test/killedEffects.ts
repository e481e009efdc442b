/**
 * For tests: several server processes on one database do everything that has an effect outside. In each round one of them kills itself at a different
 * await. The stand-ins record the real effects.
 */
import { createAccessTokens } from "#server/accounts/accessTokens.ts";
import { createSessions } from "#server/accounts/sessions.ts";
import { createConversionStandin } from "#standins/conversions/conversions.ts";
import type { DatabaseKind } from "#test/app.ts";
import { goodCard } from "#test/payments.ts";
import { type Grounds, type Hook, preparePayments, type RunningServer } from "#test/killedPayments.ts";
import Fastify from "fastify";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** Numbers of processes. SQLite allows fewer, because its file is on one machine. */
export const processesOn = { sqlite: 2, postgres: 4 } as const;
/** Plans that a buyer opens at other processes while paying another one. */
const openedBeside = ["onetime-12m-mxn", "subscription-12m-mxn", "onetime-6m-mxn", "subscription-1m-mxn"];
const secretKey = "a-key-for-tests-that-is-long-enough";
const minute = 60_000;
/** Time leap between rounds, ms, after which every claim has expired. */
const roundMs = 3 * minute;
const years = 4 * 365 * 24 * 60 * minute;
/** Approximate number of awaits of a process in a round. */
const waits = 400;
/** The await at which a round's process kills itself. Steps of 61 reach every await in turn. */
const nextWait = (round: number) => 1 + ((round * 61) % waits);
/** In every other round the process dies right after a request to one of these addresses has changed something at a provider. */
const changes = ["/adjustments", "payment/refund", "/cancel", "/meta/", "/tiktok/", "/transactions"];

export interface EffectRounds {
  readonly rounds: number;
  readonly killed: number;
  /** Faults as sentences, like an effect that happened twice or never. */
  readonly wrong: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Runs rounds until `kills` processes have killed themselves during work. */
export async function killInTheMiddleOfEffects(database: DatabaseKind, kills: number): Promise<EffectRounds> {
  const grounds = await preparePayments(database);
  const networks = createConversionStandin();
  const receiver = Fastify();
  await receiver.register(networks.plugin);
  const networksAt = await receiver.listen({ host: "127.0.0.1", port: 0 });
  try {
    return await playRounds(grounds, networks.taken, networksAt, { kills, processes: processesOn[database] });
  } finally {
    await receiver.close();
    await grounds.close();
  }
}

async function playRounds(
  grounds: Grounds,
  taken: ReadonlyMap<string, unknown>,
  networksAt: string,
  { kills, processes }: { readonly kills: number; readonly processes: number },
): Promise<EffectRounds> {
  const { store, bed } = grounds;
  const { classic } = bed.standin;
  if (classic === null) throw new Error("There is no Paddle Classic");
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const accessTokens = createAccessTokens([secretKey]);
  const sessions = createSessions({
    store,
    world: { now, uuid: randomUUID, randomBytes, wait: sleep },
    accessTokens,
    secrets: [secretKey],
  });
  const env = () => ({
    SECRET_KEYS: secretKey,
    CLOCK_AHEAD_MS: String(ahead),
    PADDLE_AT: bed.apis.billing,
    PADDLE_CLASSIC_AT: bed.apis.classic,
    CONVERSIONS_AT: networksAt,
  });
  const start = (each: readonly Readonly<Record<string, string>>[]) =>
    Promise.all(each.map((more) => grounds.start({ env: { ...env(), ...more } })));
  const buyers: string[] = [];
  const cancellers: string[] = [];
  const wrong: string[] = [];

  /** Creates a buyer from a country whose purchases are reported. */
  async function person(): Promise<{ readonly account: string; readonly token: string }> {
    const account = await bed.account();
    const device = randomUUID();
    const { token } = await store.write(async (queries) => {
      await queries.insertInto("event_devices").values({ device_id: device, visitor: account, sequence: 1 }).execute();
      await queries
        .insertInto("journeys")
        .values({
          device_id: device,
          version: "76",
          started_at: now(),
          last_at: now(),
          locale: null,
          country: "MX",
          platform: null,
          campaign: null,
          steps: "[[],0,0,[],null]",
        })
        .execute();
      return sessions.start(queries, account, "password", "");
    });
    return { account, token };
  }
  const call = async (server: RunningServer, path: string, token: string, body: object) => {
    if (server.base === null) return;
    await fetch(`${server.base}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "x-client": "parlando-web/5.7.8" },
      body: JSON.stringify(body),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  };
  /** Pays two plans: a pay link of Paddle Classic stays payable after another plan was opened. */
  async function payTwice(): Promise<void> {
    const { account } = await person();
    buyers.push(account);
    const link = await bed.payments.open({
      accountUuid: account,
      productId: "onetime-3m-mxn-classic",
      couponCode: undefined,
      mayCreate: async () => null,
    });
    if (link.kind !== "open") throw new Error(link.kind);
    const opened = classic?.open(link.checkout.hostedUrl ?? "");
    await bed.buy(account, "subscription-1m-mxn", { card: goodCard });
    classic?.billing.setBuyer(opened?.id ?? "", { email: "lucia@ejemplo.mx", countryCode: "MX" });
    classic?.billing.pay(opened?.id ?? "", { number: goodCard, expiry: "12/40", cvc: "123", name: "Lucía" });
  }

  /** Creates rows that retention deletes, and one that it keeps. */
  async function leaveOldRows(round: number): Promise<void> {
    await store.write((queries) =>
      queries
        .insertInto("audit")
        .values(
          [0, years, years].map((age, index) => ({
            id: randomUUID(),
            at: now() - age,
            account_uuid: null,
            kind: index === 0 ? "young" : "old",
            data: String(round),
          })),
        )
        .execute(),
    );
  }

  async function allApplied(): Promise<void> {
    await expect.poll(grounds.unapplied, { interval: 20 }).toBe(0);
  }

  let waiting: readonly Hook[] = [];
  let canceller: { readonly account: string; readonly token: string } | null = null;
  let killed = 0;
  let round = 0;
  for (; killed < kills; round++) {
    ahead += roundMs;
    bed.clock.now = now();
    await payTwice();
    const dropped = await person();
    buyers.push(dropped.account);
    // This payment has no webhook, so the server must ask the provider.
    const told = grounds.sent();
    await bed.buy(dropped.account, "onetime-6m-mxn", { card: goodCard });
    grounds.sent();
    // A buyer who opens another plan while paying the first.
    const opener = await person();
    buyers.push(opener.account);
    await bed.buy(opener.account, "onetime-3m-mxn", { card: goodCard });
    const hooks = [...waiting, ...told, ...grounds.sent()];
    await leaveOldRows(round);

    const turn = Math.floor(round / 2);
    const end = round % 2 === 0 ? { KILL_AFTER: changes[turn % changes.length] ?? "" } : { KILL_AT: String(nextWait(turn)) };
    const [doomed, ...others] = await start([end, ...Array.from({ length: processes - 1 }, () => ({}))]);
    const [other] = others;
    if (doomed === undefined || other === undefined) throw new Error("Two processes at least");
    const received = new Set<Hook>();
    // Each process in turn is the first.
    const place = Math.floor(round / 4) % processes;
    const servers = [...others.slice(0, place), doomed, ...others.slice(place)];
    const serverOf = (index: number) => servers[index % processes] ?? other;
    await Promise.all([
      ...hooks.map(async (hook, index) => {
        if ((await serverOf(index).post(hook, undefined, ahead))?.status === 200) received.add(hook);
      }),
      ...servers.map((server, index) => call(server, "create-transaction", opener.token, { pricingId: openedBeside[index] })),
      canceller === null ? undefined : call(serverOf(0), "subscription", canceller.token, { action: "cancel" }),
    ]);
    waiting = hooks.filter((hook) => !received.has(hook));
    await allApplied();
    if (doomed.hasEnded()) killed += 1;
    await doomed.kill();
    // Buyers with access cancel in the next round.
    const { account, token } = await person();
    buyers.push(account);
    cancellers.push(account);
    await bed.buy(account, "subscription-1m-mxn", { card: goodCard });
    canceller = { account, token };
    for (const hook of grounds.sent()) if ((await other.post(hook, undefined, ahead))?.status !== 200) waiting = [...waiting, hook];
    await allApplied();
    await Promise.all(others.map((server) => server.kill()));
  }

  const ordersOfAll = () => store.read.selectFrom("orders").selectAll().execute();
  const completedOrders = async () =>
    (await ordersOfAll()).filter(({ status, account_uuid: account }) => status === "completed" && buyers.includes(account ?? ""));

  // New processes finish the remaining work.
  const undone = async () => {
    const count = async (table: "payment_duties" | "conversions") =>
      (await store.read.selectFrom(table).select("next_attempt_at").where("next_attempt_at", "is not", null).execute()).length;
    const pending = (await ordersOfAll()).filter(
      ({ status, transaction_id: transaction, account_uuid: account }) =>
        status === "pending" && transaction !== null && buyers.includes(account ?? ""),
    );
    const old = await store.read.selectFrom("audit").select("id").where("kind", "=", "old").execute();
    return {
      duties: await count("payment_duties"),
      conversions: await count("conversions"),
      pending: pending.length,
      old: old.length,
      hooks: waiting.length,
      unreported: 2 * (await completedOrders()).length - taken.size,
    };
  };
  const nothing = { duties: 0, conversions: 0, pending: 0, old: 0, hooks: 0, unreported: 0 };
  for (let quiet = 0; quiet < 40; quiet++) {
    ahead += 60 * minute;
    bed.clock.now = now();
    const all = await start(Array.from({ length: processes }, () => ({})));
    const missing: Hook[] = [];
    for (const hook of [...waiting, ...grounds.sent()])
      if ((await all[0]?.post(hook, undefined, ahead))?.status !== 200) missing.push(hook);
    waiting = missing;
    await allApplied();
    const before = Date.now();
    while (Date.now() - before < 20_000 && JSON.stringify(await undone()) !== JSON.stringify(nothing))
      await new Promise((resolve) => void setTimeout(resolve, 200));
    await Promise.all(all.map((server) => server.kill()));
    if (JSON.stringify(await undone()) === JSON.stringify(nothing) && grounds.sent().length === 0) break;
  }
  const left = await undone();
  if (JSON.stringify(left) !== JSON.stringify(nothing)) wrong.push(`left undone: ${JSON.stringify(left)}`);

  const engines = [
    ["billing", bed.standin.billing],
    ["classic", classic.billing],
  ] as const;
  let refunds = 0;
  for (const [name, engine] of engines)
    for (const { id } of engine.transactions()) {
      const given = (engine.getTransaction(id).adjustments ?? []).filter(({ action }) => action === "refund").length;
      refunds += given;
      if (given > 1) wrong.push(`${name} ${id} was refunded ${given} times`);
    }
  const orders = await ordersOfAll();
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const paidOf = new Map<string, number>();
  for (const [, engine] of engines)
    for (const { id } of engine.transactions()) {
      const transaction = engine.getTransaction(id);
      const { order, passthrough }: { order?: unknown; passthrough?: unknown } = { ...transaction.custom_data };
      const account = orderOf.get(String(order ?? passthrough))?.account_uuid ?? "nobody";
      if (transaction.status === "draft" || transaction.status === "ready") {
        if (engine === bed.standin.billing && buyers.includes(account)) wrong.push(`${account} can still pay ${id}`);
        continue;
      }
      const isKept = transaction.status === "completed" && !(transaction.adjustments ?? []).some(({ action }) => action === "refund");
      paidOf.set(account, (paidOf.get(account) ?? 0) + (isKept ? 1 : 0));
    }
  for (const account of buyers) {
    const { entitlements, receipts } = await grounds.outcomeOf(account);
    if (paidOf.get(account) !== 1) wrong.push(`${account} has paid ${paidOf.get(account)} times`);
    if (entitlements.length !== 1 || receipts !== 1) wrong.push(`${account} has ${entitlements.join()} and ${receipts} receipts`);
  }
  const completed = await completedOrders();
  for (const { id } of completed)
    for (const network of ["meta", "tiktok"]) if (!taken.has(`${network} purchase:${id}`)) wrong.push(`${network} knows nothing of ${id}`);
  if (taken.size !== 2 * completed.length) wrong.push(`${taken.size} conversions of ${completed.length} orders`);
  const young = await store.read.selectFrom("audit").select("id").where("kind", "=", "young").execute();
  if (young.length !== round) wrong.push(`${young.length} of ${round} young rows are there`);
  let cancellations = 0;
  for (const account of cancellers) {
    const subscriptionId = completed.find((order) => order.account_uuid === account)?.subscription_id;
    const isCancelled = subscriptionId != null && bed.standin.billing.getSubscription(subscriptionId).scheduled_change?.action === "cancel";
    const mails = await store.read
      .selectFrom("mail_outbox")
      .innerJoin("accounts", "accounts.email", "mail_outbox.recipient")
      .select("mail_outbox.id")
      .where("accounts.uuid", "=", account)
      .where("template", "=", "cancelled")
      .execute();
    cancellations += mails.length;
    if (mails.length !== (isCancelled ? 1 : 0))
      wrong.push(`${account} ${isCancelled ? "cancelled" : "did not cancel"}: ${mails.length} mails`);
  }
  return {
    rounds: round,
    killed,
    wrong,
    counts: { refunds, conversions: taken.size, cancellations, completed: completed.length, buyers: buyers.length },
  };
}
