/**
 * Carries out notices that end a contract (decisions 132, 133). A cancellation with a matching address and contract is treated like one
 * made in the account. A withdrawal needs the order's number, because it cannot be undone. Everything else waits for a person.
 */
import { brand } from "#content/brand.ts";
import { knownLocale } from "#core/locales.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { withdrawalDays } from "#core/withdrawal.ts";
import type { World } from "../base/world.ts";
import type { ContractNoticesTable, OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import { orderNumber } from "#core/orderNumber.ts";
import { addDuty, withdrawnByBuyer } from "./duties.ts";
import { paymentsOf } from "./orderFacts.ts";
import { ProviderFailure, type TransactionFact } from "./provider.ts";
import { leftOf } from "./refunds.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Longer than carrying out a notice can take. */
const claimMs = 2 * minuteMs;
const againMs = 30 * minuteMs;
/** About three days. Then a person has to look. */
const mostAttempts = 150;
const batchSize = 20;
/** How often a sender who knows only the address can cancel. In between, the owner can undo the cancellation. */
const mostCancelled = 2;
const cancelledWithin = 7 * dayMs;

export interface NoticeParts {
  readonly store: Store;
  readonly world: World;
  readonly log: { readonly warn: (details: object, message: string) => void };
  /** Cancels the account's subscription, or that of the named order; false when there is none to cancel. Throws ProviderFailure. */
  readonly cancel: (accountUuid: string, orderId: string | null) => Promise<boolean>;
  readonly stopped: () => boolean;
}

const completedOrders = (queries: Queries, accountUuid: string): Promise<OrdersTable[]> =>
  queries.selectFrom("orders").selectAll().where("account_uuid", "=", accountUuid).where("status", "=", "completed").execute();

/** The order that a notice names: by our number, short or whole, or by the provider's. Null when none or several match. */
async function namedOrder(queries: Queries, accountUuid: string, contract: string): Promise<OrdersTable | null> {
  const orders = await completedOrders(queries, accountUuid);
  const words = new Set(contract.toLowerCase().split(/[^a-z0-9_-]/));
  const named = orders.filter(({ id, transaction_id: transaction }) =>
    [id, orderNumber(id), transaction ?? id].some((number) => words.has(number.toLowerCase())),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

export interface Sender {
  readonly account: { readonly uuid: string; readonly email_confirmed_at: number | null; readonly trust_epoch: string };
  /** Whether the notice names one of the account's orders, which strangers do not know. */
  readonly namesOrder: boolean;
}

/** The account that has the address of a notice; null when none has. */
export async function senderOf(
  queries: Queries,
  { email, contract }: Pick<ContractNoticesTable, "email" | "contract">,
): Promise<Sender | null> {
  const account = await queries
    .selectFrom("accounts")
    .select(["uuid", "email_confirmed_at", "trust_epoch"])
    .where("email", "=", email)
    .executeTakeFirst();
  return account === undefined ? null : { account, namesOrder: (await namedOrder(queries, account.uuid, contract)) !== null };
}

/**
 * The account that may read and erase a notice: the one with its address, once the address is confirmed or the notice names an order. Anybody can make
 * an account with a stranger's address.
 */
export const ownerOf = (sender: Sender | null): string | null =>
  sender !== null && (sender.account.email_confirmed_at !== null || sender.namesOrder) ? sender.account.uuid : null;

/** The account whose contract a notice ends: its owner, or the account that had its address, even unconfirmed, when it came. */
async function accountOf({ store }: NoticeParts, notice: ContractNoticesTable): Promise<string | null> {
  if (notice.account_uuid !== null) return notice.account_uuid;
  const account = await store.read
    .selectFrom("accounts")
    .select("uuid")
    .where("email", "=", notice.email)
    .where("created_at", "<=", notice.received_at)
    .executeTakeFirst();
  return account?.uuid ?? null;
}

const namesProgram = (contract: string) => contract.toLowerCase().includes(brand.name.toLowerCase());

/**
 * Whether this week's cancellations have reached the limit for notices without an order number. A notice for good cause also cancels, but
 * it is not done until a person has judged the cause.
 */
async function isTooOften({ store, world }: NoticeParts, accountUuid: string, email: string): Promise<boolean> {
  const since = world.now() - cancelledWithin;
  const notices = await store.read
    .selectFrom("contract_notices")
    .select(["contract", "done_at"])
    .where(({ or, and, eb }) => or([eb("account_uuid", "=", accountUuid), and([eb("account_uuid", "is", null), eb("email", "=", email)])]))
    .where("kind", "=", "cancel")
    .where(({ or, and, eb }) => {
      const isRecent = or([eb("received_at", ">", since), eb("not_before", ">=", dayOf(since))]);
      return or([eb("done_at", ">", since), and([eb("for_cause", "=", 1), eb("state", "=", "person"), isRecent])]);
    })
    .execute();
  return notices.filter(({ contract, done_at: doneAt }) => doneAt !== null || namesProgram(contract)).length >= mostCancelled;
}

/** Adds the provider's duties to end the contract at once and refund all payments for it; false when it is too late. */
async function withdraw(parts: NoticeParts, order: OrdersTable, receivedAt: number): Promise<boolean> {
  const { store, world } = parts;
  const account = await store.read.selectFrom("accounts").select("locale").where("uuid", "=", order.account_uuid).executeTakeFirst();
  const { payments, adjustments } = await paymentsOf(store.read, order);
  const days = withdrawalDays({ locale: knownLocale(account?.locale ?? ""), country: order.country });
  const madeAt = payments.find(({ id }) => id === order.transaction_id)?.billedAt ?? order.created_at;
  // The day of the order does not count. The last day lasts until it ends in the world's last time zone.
  if (days === 0 || receivedAt > madeAt + (days + 2) * dayMs) return false;
  const duty = { provider: order.payment_provider, orderId: order.id, reason: withdrawnByBuyer, now: world.now() };
  await store.write(async (queries) => {
    if (order.subscription_id !== null) await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: order.subscription_id });
    for (const payment of payments)
      if (leftOf(payment, adjustments) > 0) await addDuty(queries, { ...duty, kind: "refund", subject: payment.id, again: true });
  });
  return true;
}

/** What an order's subscription was charged after a time and still has to be paid back. */
async function chargedSince(parts: NoticeParts, order: OrdersTable, since: number): Promise<readonly TransactionFact[]> {
  const { payments, adjustments } = await paymentsOf(parts.store.read, order);
  const isLater = ({ id, billedAt }: TransactionFact) => id !== order.transaction_id && billedAt !== null && billedAt > since;
  return payments.filter((payment) => isLater(payment) && leftOf(payment, adjustments) > 0);
}

/**
 * Cancels. The provider may have charged another term since the notice came, because it did not answer, or refused, as Paddle does in the last half hour
 * before a charge. Then the contract ends at once and the charge is refunded. Without the order's number, a person must decide that.
 */
async function cancel(parts: NoticeParts, notice: ContractNoticesTable, account: string, order: OrdersTable | null): Promise<boolean> {
  const { store, world } = parts;
  const orders = order === null ? await completedOrders(store.read, account) : [order];
  const late: TransactionFact[] = [];
  // Until a later day, charges are due.
  if (notice.not_before === null) for (const one of orders) late.push(...(await chargedSince(parts, one, notice.received_at)));
  if (late.length === 0 || order === null || order.subscription_id === null) {
    const isCancelled = await parts.cancel(account, order?.id ?? null);
    return isCancelled && late.length === 0;
  }
  const { id: orderId, payment_provider: provider, subscription_id: subject } = order;
  const duty = { provider, orderId, reason: "cancelled before this charge", now: world.now() };
  await store.write(async (queries) => {
    await addDuty(queries, { ...duty, kind: "cancel-subscription", subject });
    for (const { id } of late) await addDuty(queries, { ...duty, kind: "refund", subject: id, again: true });
  });
  return true;
}

/** Returns whether everything that the notice asks for is done. */
async function carryOut(parts: NoticeParts, notice: ContractNoticesTable): Promise<boolean> {
  const { email, contract, kind, received_at: receivedAt } = notice;
  const account = await accountOf(parts, notice);
  if (account === null) return false;
  const order = await namedOrder(parts.store.read, account, contract);
  if (kind === "withdraw") return order !== null && (await withdraw(parts, order, receivedAt));
  if (order === null && (!namesProgram(contract) || (await isTooOften(parts, account, email)))) return false;
  const cancelled = await cancel(parts, notice, account, order);
  // A person must decide whether the stated cause ends the contract at once. Until then it is cancelled like any other.
  return cancelled && notice.for_cause === 0;
}

/** Notices that wait for a person, oldest first. */
export const waitingNotices = (store: Store): Promise<readonly ContractNoticesTable[]> =>
  store.read.selectFrom("contract_notices").selectAll().where("state", "=", "person").orderBy("received_at").execute();

/** Marks a notice as answered by a person; false when none with this id waits. */
export async function markAnswered(store: Store, now: number, id: string): Promise<boolean> {
  const { numUpdatedRows } = await store.write((queries) =>
    queries
      .updateTable("contract_notices")
      .set({ state: "done", done_at: now })
      .where("id", "=", id)
      .where("state", "=", "person")
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

export async function carryOutNotices(parts: NoticeParts): Promise<void> {
  const { store, world, log } = parts;
  const now = world.now();
  await endLongWaits(store, now, "contract_notices", [claimMs, againMs]);
  const due = await store.read
    .selectFrom("contract_notices")
    .selectAll()
    .where("next_attempt_at", "<=", now)
    // Only a cancellation can be for a later day: a delayed withdrawal would also refund what was used until then.
    .where(({ or, eb }) => or([eb("kind", "=", "withdraw"), eb("not_before", "is", null), eb("not_before", "<=", dayOf(now))]))
    .orderBy("next_attempt_at")
    .limit(batchSize)
    .execute();
  for (const notice of due) {
    if (parts.stopped()) return;
    const attempts = notice.attempts + 1;
    const change = (changes: Partial<ContractNoticesTable>, ofAttempt: number) =>
      store.write((queries) =>
        queries
          .updateTable("contract_notices")
          .set(changes)
          .where("id", "=", notice.id)
          .where("attempts", "=", ofAttempt)
          .where("next_attempt_at", "is not", null)
          .executeTakeFirst(),
      );
    const claimed = await change({ attempts, next_attempt_at: world.now() + claimMs }, notice.attempts);
    if (claimed.numUpdatedRows === 0n) continue;
    try {
      const done = await carryOut(parts, notice);
      await change({ state: done ? "done" : "person", next_attempt_at: null, done_at: done ? world.now() : null }, attempts);
      if (!done) log.warn({ notice: notice.id, kind: notice.kind }, "A notice that ends a contract waits for a person.");
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const givenUp = attempts >= mostAttempts;
      await change(givenUp ? { state: "person", next_attempt_at: null } : { next_attempt_at: world.now() + againMs }, attempts);
      log.warn({ notice: notice.id, kind: notice.kind, err: error }, "A notice that ends a contract could not be carried out yet.");
    }
  }
}
