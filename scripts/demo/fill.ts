/** Fills the demonstration's database: invented visits in order of time, through the real server. */
import type { Parts } from "../../src/parts.ts";
import type { PaddleStandin } from "#standins/paddle/plugin.ts";
import { createChance } from "./chance.ts";
import { nightTasks, nightVisits } from "./night.ts";
import { afterwards } from "./truths.ts";
import { visitsOf } from "./visits.ts";
import { type Buyer, type Outcome, type Stage, walk } from "./walk.ts";

export interface Filling {
  readonly parts: Parts;
  readonly clock: { now: number };
  readonly days: number;
  readonly visits: number;
  readonly until: number;
  readonly seed: number;
  /** Called after each day. */
  readonly onDay: (day: string) => void;
}

interface Task {
  readonly at: number;
  readonly run: () => Promise<readonly Task[]>;
}

const dayMs = 86_400_000;
const cards = { good: "4242 4242 4242 4242", declined: "4000 0000 0000 0002", renewalDeclined: "4000 0027 6000 3184" } as const;

/** @returns the numbers of visits, purchases, refunds and erasures */
export async function fill(filling: Filling) {
  const { parts, clock, days, until, seed } = filling;
  const { standin } = parts;
  if (standin === null) throw new Error("The demonstration needs the payment stand-in: remove the provider's keys.");
  const counts = { visits: 0, purchases: 0, refunds: 0, cancellations: 0, erasures: 0 };
  const settled = () => settle(parts, standin);
  const stage: Stage = {
    send: (request) => parts.app.inject(request),
    build: await buildOf(parts),
    now: () => clock.now,
    async pay(transactionId, { chance, email, country }) {
      standin.billing.setBuyer(transactionId, { email, countryCode: country });
      const number = chance.happens(afterwards.declined)
        ? cards.declined
        : chance.happens(afterwards.renewalDeclined)
          ? cards.renewalDeclined
          : cards.good;
      const { status } = standin.billing.pay(transactionId, { number, expiry: "12/40", cvc: "123", name: email });
      await settled();
      return status === "completed";
    },
  };

  const underway = new Set<ReturnType<typeof walk>>();
  const others = createChance(seed + 1);
  const visits = [...visitsOf(filling.visits, days, until, createChance(seed)), ...nightVisits(until, others)].map((visit): Task => {
    const steps = walk(visit, stage);
    const goOn = async (): Promise<readonly Task[]> => {
      const next = await steps.next();
      underway.add(steps);
      if (!next.done) return [{ at: next.value, run: goOn }];
      underway.delete(steps);
      counts.visits += 1;
      return next.value.bought === null ? [] : later(next.value.bought, stage, standin, counts, settled);
    };
    return { at: visit.at, run: goOn };
  });
  const renewals = Array.from({ length: days }, (_, day): Task => {
    const at = until - (days - day) * dayMs + dayMs / 2;
    return {
      at,
      async run() {
        renewDue(standin, clock.now);
        await settled();
        filling.onDay(new Date(at).toISOString().slice(0, 10));
        return [];
      },
    };
  });
  const broken = nightTasks(parts, stage, until, others).map(({ at, run }): Task => ({ at, run: async () => (await run(), []) }));
  await runInOrder([...visits, ...renewals, ...broken], clock, until);
  clock.now = until;
  for (const steps of underway) await steps.return({ bought: null });
  counts.visits += underway.size;
  await settled();
  return counts;
}

/** The build's name: the file name of the pages' entry script. */
async function buildOf({ app }: Parts): Promise<string> {
  const { body } = await app.inject({ url: "/" });
  return /<script type="module"[^>]* src="[^"]*\/([^"/]+\.js)"/.exec(body)?.[1] ?? "";
}

/** Delivers the webhooks of payments, then those that the server's own requests to the provider cause. */
async function settle({ payments }: Parts, { deliveries, classic }: PaddleStandin): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await deliveries.settled();
    await classic?.deliveries.settled();
    await payments.settled();
  }
}

function renewDue({ billing }: PaddleStandin, now: number): void {
  for (const { id, status, scheduled_change: change, next_billed_at: next } of billing.subscriptions()) {
    const due = change?.effective_at ?? next;
    if (due != null && Date.parse(due) <= now && (status === "active" || status === "trialing")) billing.renew(id);
  }
}

/** Schedules what some buyers do days later: cancel, request a refund, or erase their account. */
function later(
  bought: NonNullable<Outcome["bought"]>,
  { now }: Stage,
  { billing }: PaddleStandin,
  counts: { purchases: number; refunds: number; cancellations: number; erasures: number },
  settled: () => Promise<void>,
): readonly Task[] {
  counts.purchases += 1;
  const { buyer, transactionId } = bought;
  const { chance } = buyer;
  const after = (days: number, probability: number, act: () => Promise<void>): readonly Task[] =>
    chance.happens(probability) ? [{ at: now() + chance.around(days * dayMs), run: async () => (await act(), await settled(), []) }] : [];
  return [
    ...after(2, afterwards.refund, async () => {
      if (Number(billing.getTransaction(transactionId).details?.totals?.grand_total ?? "0") === 0) return;
      billing.adjust(transactionId, "refund", "full");
      counts.refunds += 1;
    }),
    ...after(5, afterwards.cancel, async () => {
      await logIn(buyer);
      const { subscription } = await buyer.client.call("subscription");
      if (!subscription?.actions.includes("cancel")) return;
      await buyer.client.call("subscriptionChange", { body: { action: "cancel", password: buyer.password } });
      counts.cancellations += 1;
    }),
    ...after(9, afterwards.erase, async () => {
      await logIn(buyer);
      await buyer.client.call("accountErase", { body: { password: buyer.password } });
      counts.erasures += 1;
    }),
  ];
}

async function logIn({ client, email, password }: Buyer): Promise<void> {
  ({ token: client.token } = await client.call("login", { body: { email, password } }));
}

/** Runs tasks in order of time and sets the clock to each task's time. */
async function runInOrder(tasks: readonly Task[], clock: { now: number }, until: number): Promise<void> {
  const waiting = tasks.toSorted((a, b) => b.at - a.at);
  for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
    if (task.at > until) continue;
    // URLs and cursors need whole milliseconds, as a real clock has them.
    clock.now = Math.max(clock.now, Math.round(task.at));
    for (const next of await task.run()) {
      const place = waiting.findLastIndex(({ at }) => at >= next.at);
      waiting.splice(place + 1, 0, next);
    }
  }
}
