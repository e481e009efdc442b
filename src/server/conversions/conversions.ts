/**
 * Reports verified purchases to advertising networks, server to server, if the buyer consented at the checkout and has not withdrawn consent. A row
 * is claimed before it is sent. If a process is killed while sending, the report is sent again under the same event id, so that the network counts it
 * once.
 */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import type { Destination, Purchase } from "./destinations.ts";
import { allows, refusesLater } from "./marketingConsent.ts";

const minute = 60 * 1000;
const day = 24 * 60 * minute;
/** The networks do not accept older purchases. */
const newEnough = 7 * day;
/** Nobody pays a checkout that is older. */
const paidWithin = 7 * day;
const every = minute;
const timeLimit = 10_000;
/** How long a claim lasts: longer than sending can take. */
const claimed = minute;
const firstWait = minute;
const longestWait = 6 * 60 * minute;
const batch = 100;
const waitAfter = (tries: number) => Math.min(firstWait * 2 ** (tries - 1), longestWait);
/** By number of tries (0, 1, 2 …): the longest time until the next try. The last value also applies to more tries (`waits.ts`). */
const longestWaits = [0, ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(waitAfter)] as const;

export interface Conversions {
  /** Finds new purchases and sends due reports. Resolves with the number of reports claimed. */
  readonly run: () => Promise<number>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export interface ConversionParts {
  readonly store: Store;
  readonly world: Pick<World, "now">;
  readonly destinations: readonly Destination[];
  readonly fetch: typeof fetch;
  readonly log: { readonly error: (details: object, message: string) => void };
}

/** Adds a row for each new purchase and network. The consent at the checkout is checked here, once. */
async function queueReports({ store, world, destinations }: ConversionParts): Promise<void> {
  const now = world.now();
  for (const { name } of destinations) {
    const orders = await store.read
      .selectFrom("orders")
      .select(["id", "account_uuid", "created_at"])
      .where("status", "=", "completed")
      .where("updated_at", ">", now - newEnough)
      // Excludes old orders by an index. A renewal changes their `updated_at`, but not this time.
      .where("created_at", ">", now - newEnough - paidWithin)
      .where((fields) =>
        fields.not(
          fields.exists(
            fields.selectFrom("conversions").select("order_id").whereRef("order_id", "=", "orders.id").where("destination", "=", name),
          ),
        ),
      )
      .limit(batch)
      .execute();
    for (const { id, account_uuid: account, created_at: checkout } of orders) {
      const allowed = account !== null && (await allows(store.read, account, checkout));
      await store.write((queries) =>
        queries
          .insertInto("conversions")
          .values({
            order_id: id,
            destination: name,
            status: allowed ? "waiting" : "withheld",
            created_at: now,
            attempts: 0,
            next_attempt_at: allowed ? now : null,
            error: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    }
  }
}

async function settle(
  store: Store,
  row: { readonly order_id: string; readonly destination: string },
  ofAttempt: number,
  change: { status?: string; next_attempt_at: number | null; attempts?: number; error?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await store.write((queries) =>
    queries
      .updateTable("conversions")
      .set(change)
      .where("order_id", "=", row.order_id)
      .where("destination", "=", row.destination)
      .where("attempts", "=", ofAttempt)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

async function send(
  { fetch }: Pick<ConversionParts, "fetch">,
  destination: Destination,
  purchase: Purchase,
): Promise<"taken" | { readonly final: boolean; readonly problem: string }> {
  try {
    const response = await fetch(destination.url, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json", ...destination.headers },
      body: JSON.stringify(destination.body(purchase)),
      signal: AbortSignal.timeout(timeLimit),
    });
    const text = (await response.text()).slice(0, 500);
    const final = response.status >= 400 && response.status < 500 && response.status !== 429;
    if (!response.ok) return { final, problem: `${response.status} ${text}` };
    return destination.taken(JSON.parse(text)) ? "taken" : { final: true, problem: text };
  } catch (error) {
    return { final: false, problem: String(error) };
  }
}

export function createConversions(parts: ConversionParts): Conversions {
  const { store, world, destinations, log } = parts;
  const names = new Map<string, Destination>(destinations.map((destination) => [destination.name, destination]));

  async function run(): Promise<number> {
    await queueReports(parts);
    const now = world.now();
    await endLongWaits(store, now, "conversions", longestWaits);
    const due = await store.read
      .selectFrom("conversions")
      .selectAll()
      .where("next_attempt_at", "<=", now)
      .orderBy("next_attempt_at")
      .limit(batch)
      .execute();
    let taken = 0;
    for (const row of due) {
      const attempts = row.attempts + 1;
      if (stopped) return taken;
      // Another process has claimed it.
      if (!(await settle(store, row, row.attempts, { attempts, next_attempt_at: world.now() + claimed }))) continue;
      const destination = names.get(row.destination);
      const purchase = await purchaseOf(store.read, row.order_id);
      if (destination === undefined || purchase === null || now - purchase.paidAt > newEnough) {
        await settle(store, row, attempts, { status: "too late", next_attempt_at: null });
        continue;
      }
      // Consent was withdrawn after the checkout: nothing is sent.
      if (!(await allows(store.read, purchase.accountUuid, now)) || (await refusesLater(store.read, purchase.accountUuid, now))) {
        await settle(store, row, attempts, { status: "withheld", next_attempt_at: null });
        continue;
      }
      const outcome = await send(parts, destination, purchase);
      if (outcome === "taken") {
        taken += 1;
        await settle(store, row, attempts, { status: "sent", next_attempt_at: null, error: null });
      } else if (outcome.final) {
        log.error({ order: row.order_id, destination: row.destination, problem: outcome.problem }, "A conversion was refused");
        await settle(store, row, attempts, { status: "refused", next_attempt_at: null, error: outcome.problem });
      } else {
        const wait = waitAfter(attempts);
        await settle(store, row, attempts, { next_attempt_at: world.now() + wait, error: outcome.problem });
      }
    }
    return taken;
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    running = run()
      .catch((err: unknown) => log.error({ err }, "Conversions could not be sent"))
      .finally(() => (timer = setTimeout(round, every).unref()));
  };
  return {
    run,
    start() {
      if (destinations.length > 0) round();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}

async function purchaseOf(queries: Queries, orderId: string): Promise<Purchase | null> {
  const row = await queries
    .selectFrom("orders")
    .innerJoin("accounts", "accounts.uuid", "orders.account_uuid")
    .select(["orders.id", "accounts.uuid", "accounts.email", "orders.product_id", "orders.currency", "orders.price", "orders.updated_at"])
    .where("orders.id", "=", orderId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    orderId: row.id,
    accountUuid: row.uuid,
    email: row.email,
    productId: row.product_id,
    currency: row.currency,
    price: row.price,
    paidAt: row.updated_at,
  };
}
