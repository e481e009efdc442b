/**
 * Each person has free days once; whoever has paid before, once per plan. For this we store a keyed hash of their mailbox, which outlives
 * the account and does not reveal who it was (decisions 085, 210).
 */
import { comeBackPlan } from "#content/catalog/products.ts";
import { derivedToken, keysFor } from "../base/keys.ts";
import { retentionPeriods } from "../base/retentionPeriods.ts";
import type { World } from "../base/world.ts";
import type { Database, Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { mailboxOf } from "./mailboxes.ts";
import { type Insertable, sql } from "kysely";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OrdersTable } from "../store/paymentTables.ts";

export interface Trials {
  /** Whether the person behind the account may have a plan's free days. */
  readonly freeDaysOf: (queries: Queries, accountUuid: string) => Promise<(plan: string) => boolean>;
  /** Uses up an order's free days, within the caller's write; false when the person has used theirs with another order. */
  readonly take: (
    queries: Queries,
    order: { readonly account_uuid: string } & Pick<OrdersTable, "id" | "product_plan">,
  ) => Promise<boolean>;
  /**
   * Records trials that are older than this record, or that a process of an older release did not record. After a change of the key, records those of all
   * living accounts again, with the new key.
   */
  readonly catchUp: () => Promise<void>;
}

const batch = 500;

/** Whether the account has paid something that was not wholly refunded or charged back. */
async function hasPaid(queries: Queries, accountUuid: string): Promise<boolean> {
  const kept = await queries
    .selectFrom("money_entries")
    .innerJoin("orders", "orders.id", "money_entries.order_id")
    .select("money_entries.transaction_id")
    .where("orders.account_uuid", "=", accountUuid)
    .groupBy(["money_entries.payment_provider", "money_entries.transaction_id"])
    .having(sql<number>`sum(CASE WHEN kind IN ('payment', 'reversal') THEN gross ELSE -gross END)`, ">", 0)
    .limit(1)
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Until the write ends, nobody else takes free days of the mailbox: two plans in the same instant are two rows, and neither write would see the other's.
 * SQLite has one writer at a time.
 */
async function lockMailbox(queries: Queries, hashes: readonly string[]): Promise<void> {
  // During a key rotation, two processes may share only some of the hashes. All lock them in the same order.
  for (const hash of hashes.toSorted()) await sql`SELECT pg_advisory_xact_lock(hashtextextended(${hash}, 0))`.execute(queries);
}

export function createTrials({
  store,
  world,
  secretKeys,
}: {
  readonly store: Store;
  readonly world: World;
  readonly secretKeys: readonly string[];
}): Trials {
  const keys = keysFor("trial", secretKeys);
  /** The hash with the current key, then those with older keys. */
  const hashesOf = (email: string) => keys.map((key) => derivedToken(key, mailboxOf(email)));

  async function hashesOfAccount(queries: Queries, accountUuid: string): Promise<readonly string[]> {
    const account = await queries.selectFrom("accounts").select("email").where("uuid", "=", accountUuid).executeTakeFirst();
    return account === undefined ? [] : hashesOf(account.email);
  }
  /** Trials of the account itself, whatever its address was then. */
  const ownTrials = (queries: Queries, accountUuid: string) =>
    queries
      .selectFrom("orders")
      .select(["id", "product_plan"])
      .where("account_uuid", "=", accountUuid)
      .where("trial_days", ">", 0)
      .where("status", "=", "completed");

  return {
    freeDaysOf: async (queries, accountUuid) => {
      const own = await ownTrials(queries, accountUuid).execute();
      const hashes = await hashesOfAccount(queries, accountUuid);
      const noted = hashes.length === 0 ? [] : await queries.selectFrom("trials_used").select("plan").where("hash", "in", hashes).execute();
      const had = new Set([...own.map((order) => order.product_plan), ...noted.map(({ plan }) => plan)]);
      const paid = await hasPaid(queries, accountUuid);
      // Only returning customers who have paid before get the free month.
      return (plan) => (paid ? !had.has(plan) : had.size === 0 && plan !== comeBackPlan);
    },
    take: async (queries, { id, account_uuid: accountUuid, product_plan: plan }) => {
      const hashes = await hashesOfAccount(queries, accountUuid);
      const [hash] = hashes;
      if (hash === undefined) return true;
      if (store.dialect === "postgres") await lockMailbox(queries, hashes);
      await queries
        .insertInto("trials_used")
        .values({ hash, plan, order_id: id, used_at: world.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const noted = await queries
        .selectFrom("trials_used")
        .select("plan")
        .where("hash", "in", hashes)
        .where("order_id", "!=", id)
        .execute();
      const own = await ownTrials(queries, accountUuid).where("id", "!=", id).execute();
      const had = [...noted.map((trial) => trial.plan), ...own.map((order) => order.product_plan)];
      return had.length === 0 || (!had.includes(plan) && (await hasPaid(queries, accountUuid)));
    },
    catchUp: () => noteEarlierTrials(store, world, { hashesOf, mark: derivedToken(keys[0] ?? Buffer.alloc(0), everyTrial) }),
  };
}

/** What the mark is made of, which says that a key has all earlier trials. No address is spelled like this. */
const everyTrial = "every trial";

interface Noting {
  readonly hashesOf: (email: string) => readonly string[];
  /** The hash that is stored once all trials have a record with the current key. It is deleted like one, and then all are recorded once more. */
  readonly mark: string;
}

/** Records trials that have no record yet or, while the mark is missing, all of them. One batch per write. */
async function noteEarlierTrials(store: Store, world: World, { hashesOf, mark }: Noting): Promise<void> {
  const marked = await store.read.selectFrom("trials_used").select("hash").where("hash", "=", mark).executeTakeFirst();
  for (let after = ""; ;) {
    const rows = await store.read
      .selectFrom("orders")
      .innerJoin("accounts", "accounts.uuid", "orders.account_uuid")
      .leftJoin("trials_used", "trials_used.order_id", "orders.id")
      .select(["orders.id", "orders.product_plan", "orders.created_at", "accounts.email"])
      .distinct()
      .where("orders.created_at", ">=", world.now() - retentionPeriods.trials)
      .where("orders.trial_days", ">", 0)
      .where("orders.status", "=", "completed")
      .$if(marked !== undefined, (some) => some.where("trials_used.order_id", "is", null))
      .where("orders.id", ">", after)
      .orderBy("orders.id")
      .limit(batch)
      .execute();
    const trials = rows.flatMap(({ id, product_plan: plan, created_at: at, email }) =>
      hashesOf(email)
        .slice(0, 1)
        .map((hash) => ({ hash, plan, order_id: id, used_at: at })),
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    await record(store, trials);
    after = last.id;
    await nextTurn();
  }
  if (marked === undefined) await record(store, [{ hash: mark, plan: "", order_id: "", used_at: world.now() }]);
}

const record = (store: Store, trials: readonly Insertable<Database["trials_used"]>[]) =>
  store.write((queries) =>
    queries
      .insertInto("trials_used")
      .values(trials)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
