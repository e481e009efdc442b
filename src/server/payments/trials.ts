/**
 * A plan's free trial is had once by a person. What is kept of them for it is a keyed hash of their mailbox: it outlives the account, and
 * tells nobody who it was (decision 085).
 */
import { derivedToken, keysFor } from "../base/keys.ts";
import { retentionPeriods } from "../base/retentionPeriods.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { mailboxOf } from "./mailboxes.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

export interface Trials {
  /** The plans whose trial the account's person has had. */
  readonly usedBy: (queries: Queries, accountUuid: string) => Promise<ReadonlySet<string>>;
  /** Takes an order's trial for its person, within the caller's write; false when they have had it by another order. */
  readonly take: (
    queries: Queries,
    order: { readonly account_uuid: string } & Pick<OrdersTable, "id" | "product_plan">,
  ) => Promise<boolean>;
  /** Notes the trials that were begun before they were noted, or by a process that does not note them. */
  readonly catchUp: () => Promise<void>;
}

const batch = 500;

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
  /** The one that is kept first, then those that were kept under older keys. */
  const hashesOf = (email: string) => keys.map((key) => derivedToken(key, mailboxOf(email)));

  async function hashesOfAccount(queries: Queries, accountUuid: string): Promise<readonly string[]> {
    const account = await queries.selectFrom("accounts").select("email").where("uuid", "=", accountUuid).executeTakeFirst();
    return account === undefined ? [] : hashesOf(account.email);
  }
  /** Of this account, whatever its address was then. */
  const ownTrials = (queries: Queries, accountUuid: string) =>
    queries
      .selectFrom("orders")
      .select(["id", "product_plan"])
      .where("account_uuid", "=", accountUuid)
      .where("trial_days", ">", 0)
      .where("status", "=", "completed");

  return {
    usedBy: async (queries, accountUuid) => {
      const own = await ownTrials(queries, accountUuid).execute();
      const hashes = await hashesOfAccount(queries, accountUuid);
      const noted = hashes.length === 0 ? [] : await queries.selectFrom("trials_used").select("plan").where("hash", "in", hashes).execute();
      return new Set([...own.map((order) => order.product_plan), ...noted.map(({ plan }) => plan)]);
    },
    take: async (queries, { id, account_uuid: accountUuid, product_plan: plan }) => {
      const hashes = await hashesOfAccount(queries, accountUuid);
      const [hash] = hashes;
      if (hash === undefined) return true;
      await queries
        .insertInto("trials_used")
        .values({ hash, plan, order_id: id, used_at: world.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const others = await queries
        .selectFrom("trials_used")
        .select("order_id")
        .where("hash", "in", hashes)
        .where("plan", "=", plan)
        .where("order_id", "!=", id)
        .execute();
      const own = await ownTrials(queries, accountUuid).where("product_plan", "=", plan).where("id", "!=", id).execute();
      return others.length + own.length === 0;
    },
    catchUp: () => noteEarlierTrials(store, world, hashesOf),
  };
}

/** Notes trials that were begun and not noted, a batch per write. */
async function noteEarlierTrials(store: Store, world: World, hashesOf: (email: string) => readonly string[]): Promise<void> {
  for (let after = ""; ;) {
    const rows = await store.read
      .selectFrom("orders")
      .innerJoin("accounts", "accounts.uuid", "orders.account_uuid")
      .leftJoin("trials_used", "trials_used.order_id", "orders.id")
      .select(["orders.id", "orders.product_plan", "orders.created_at", "accounts.email"])
      .where("orders.created_at", ">=", world.now() - retentionPeriods.trials)
      .where("orders.trial_days", ">", 0)
      .where("orders.status", "=", "completed")
      .where("trials_used.order_id", "is", null)
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
    if (last === undefined) return;
    await store.write((queries) =>
      queries
        .insertInto("trials_used")
        .values(trials)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    after = last.id;
  }
}
