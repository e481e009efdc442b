/**
 * Duties: what providers must do for us, such as refunding, or ending what was superseded. A duty is stored in the transaction that makes
 * it necessary, so a crash loses none. A process claims a duty for longer than carrying it out can take: two processes never carry it out
 * at once, and if a process is killed, another one repeats it. The providers accept no idempotency keys, so each is first asked whether it
 * has been done already.
 */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import type { PaymentDutiesTable } from "../store/paymentTables.ts";
import { type PaymentProvider, ProviderFailure } from "./provider.ts";

/**
 * `confirm-cancellation`: an owner has started to cancel, and a mail must tell them the result. `cancel-lost-checkout`: an order ended
 * while its checkout was being created. If the provider has that checkout, it is cancelled. The process that was creating it may have died.
 * `refund-part`: refunds what was paid for the months after an early end (earlyEnds.ts). `refund-asked`: an operator refunds a part.
 */
type DutyKind =
  | "refund"
  | "refund-part"
  | "refund-asked"
  | "cancel-checkout"
  | "cancel-lost-checkout"
  | "cancel-subscription"
  | "confirm-cancellation";

interface Duty {
  readonly provider: string;
  readonly kind: DutyKind;
  /**
   * The provider's id of the transaction or subscription. For a lost checkout: our order's id. For an operator's partial refund: the
   * refund's id.
   */
  readonly subject: string;
  /** For an operator's partial refund: the payment and the amount. */
  readonly part?: { readonly transactionId: string; readonly amount: number };
  readonly orderId: string;
  readonly reason: string;
  readonly now: number;
  /** Whether the same duty begins anew if it was given up. By default only a subscription's end does: whoever asks for it again must not be charged. */
  readonly again?: boolean;
}

const minuteMs = 60_000;
/** The wait after each failed attempt; the last one repeats. */
const retryAfterMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs] as const;
/** About three days. Then a person has to look. */
const mostAttempts = 40;
/** Longer than carrying out a duty can take: at most three calls to the provider, ten seconds each. */
const claimMs = 2 * minuteMs;
/** The longest wait by number of attempts so far. A duty that was never attempted may be in progress already (`beginDuty`). */
const longestWaits = [claimMs, claimMs, ...retryAfterMs.slice(1)] as const;
const batchSize = 20;

export const cancelledByOwner = "cancelled by its owner";
export const withdrawnByBuyer = "withdrawn by its buyer";
export const cancelledWithoutLogin = "cancelled without logging in";
/** The reason of a cancellation for which a scheduled pause was undone. */
export const insteadOfPause = (reason: string) => `${reason} instead of a pause`;
/** Whether the mail about a cancellation has a link that undoes it: it was made without logging in, so perhaps by a stranger. */
export const canBeKept = (provider: Pick<PaymentProvider, "keepsCancelled">, reason: string) =>
  provider.keepsCancelled && [cancelledWithoutLogin, insteadOfPause(cancelledWithoutLogin)].includes(reason);

/** Adds a duty within the caller's write. The same duty is added once. */
export async function addDuty(queries: Queries, duty: Duty): Promise<void> {
  const { provider, kind, subject, orderId, reason, now, part, again = kind === "cancel-subscription" } = duty;
  await queries
    .insertInto("payment_duties")
    .values({
      payment_provider: provider,
      kind,
      subject,
      order_id: orderId,
      reason,
      created_at: now,
      attempts: 0,
      next_attempt_at: now,
      done_at: null,
      error: null,
      transaction_id: part?.transactionId ?? null,
      amount: part?.amount ?? null,
    })
    .onConflict((conflict) =>
      again
        ? conflict
            .columns(["payment_provider", "kind", "subject"])
            .doUpdateSet({ reason, attempts: 0, next_attempt_at: now, error: null })
            .where("payment_duties.next_attempt_at", "is", null)
            .where("payment_duties.done_at", "is", null)
        : conflict.doNothing(),
    )
    .execute();
}

/**
 * Adds a duty that the caller carries out itself, within the caller's write. It becomes due if the caller has not finished it in time. A
 * duty that was done before starts again.
 */
export async function beginDuty(queries: Queries, { provider, kind, subject, orderId, reason, now }: Duty): Promise<void> {
  const due = { order_id: orderId, reason, created_at: now, attempts: 0, next_attempt_at: now + claimMs, done_at: null, error: null };
  await queries
    .insertInto("payment_duties")
    .values({ payment_provider: provider, kind, subject, ...due })
    .onConflict((conflict) => conflict.columns(["payment_provider", "kind", "subject"]).doUpdateSet(due))
    .execute();
}

/** Marks a duty as done, within the caller's write. False when it was done already. */
export async function finishDuty(
  queries: Queries,
  { provider, kind, subject, now }: Pick<Duty, "provider" | "kind" | "subject" | "now">,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable("payment_duties")
    .set({ done_at: now, next_attempt_at: null })
    .where("payment_provider", "=", provider)
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the owner asked for the subscription's end, and whether that was confirmed already. Deletes the duty, so it answers once. */
export async function takeConfirmation(
  queries: Queries,
  provider: string,
  subscriptionId: string,
): Promise<{ readonly state: "asked" | "confirmed"; readonly reason: string } | null> {
  const duty = await queries
    .deleteFrom("payment_duties")
    .where("payment_provider", "=", provider)
    .where("kind", "=", "confirm-cancellation")
    .where("subject", "=", subscriptionId)
    .returning(["done_at", "reason"])
    .executeTakeFirst();
  return duty === undefined ? null : { state: duty.done_at === null ? "asked" : "confirmed", reason: duty.reason };
}

/** Deletes the request to confirm a cancellation that failed. Returns its reason; null when it was confirmed already. */
export async function dropConfirmation(queries: Queries, provider: string, subscriptionId: string): Promise<string | null> {
  const duty = await queries
    .deleteFrom("payment_duties")
    .where("payment_provider", "=", provider)
    .where("kind", "=", "confirm-cancellation")
    .where("subject", "=", subscriptionId)
    .where("done_at", "is", null)
    .returning("reason")
    .executeTakeFirst();
  return duty?.reason ?? null;
}

const endOf = (queries: Queries, provider: string, subscriptionId: string, kind: "cancel-subscription" | "confirm-cancellation") =>
  queries
    .selectFrom("payment_duties")
    .select("subject")
    .where("payment_provider", "=", provider)
    .where("kind", "=", kind)
    .where("subject", "=", subscriptionId);

/** Whether the owner has asked for the subscription's end and has no confirmation yet. */
export async function isBeingCancelled(queries: Queries, provider: string, subscriptionId: string): Promise<boolean> {
  const asked = await endOf(queries, provider, subscriptionId, "confirm-cancellation").where("done_at", "is", null).executeTakeFirst();
  return asked !== undefined;
}

/** Whether we end the subscription, or its owner has cancelled it and the provider's confirmation is missing. */
export async function isBeingEnded(queries: Queries, provider: string, subscriptionId: string): Promise<boolean> {
  const ending = await endOf(queries, provider, subscriptionId, "cancel-subscription").executeTakeFirst();
  return ending !== undefined || isBeingCancelled(queries, provider, subscriptionId);
}

async function carryOut(
  provider: PaymentProvider,
  { kind, subject, reason, transaction_id: of, amount }: PaymentDutiesTable,
): Promise<void> {
  if (kind === "refund") await provider.refund(subject, reason);
  else if (kind === "refund-asked" && of !== null && amount !== null) await provider.refund(of, reason, { amount, id: subject });
  else if (kind === "cancel-subscription") await provider.endSubscription(subject);
  // If it is too late to cancel the checkout, that is no failure: its payment is refunded.
  else if (kind === "cancel-checkout") await provider.cancelCheckout(subject);
}

/** Carries out what is due. What fails is tried again later. */
export async function runDuties(parts: {
  readonly store: Store;
  readonly world: World;
  readonly providers: readonly PaymentProvider[];
  readonly confirmCancellation: (provider: PaymentProvider, duty: PaymentDutiesTable) => Promise<void>;
  readonly refundPart: (provider: PaymentProvider, duty: PaymentDutiesTable) => Promise<void>;
  readonly cancelLostCheckout: (provider: PaymentProvider, orderId: string) => Promise<void>;
  readonly log: { readonly warn: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
  readonly stopped: () => boolean;
}): Promise<void> {
  const { store, world, providers, log } = parts;
  await endLongWaits(store, world.now(), "payment_duties", longestWaits);
  const due = await store.read
    .selectFrom("payment_duties")
    .selectAll()
    .where("next_attempt_at", "<=", world.now())
    .where(({ eb, or }) => or(providers.map(({ name }) => eb("payment_provider", "=", name))))
    .orderBy("next_attempt_at")
    .limit(batchSize)
    .execute();
  for (const duty of due) {
    const provider = providers.find(({ name }) => name === duty.payment_provider);
    if (parts.stopped()) return;
    if (provider === undefined) continue;
    const attempts = duty.attempts + 1;
    const change = (changes: Partial<Pick<PaymentDutiesTable, "attempts" | "next_attempt_at" | "done_at" | "error">>, ofAttempt: number) =>
      store.write((queries) =>
        queries
          .updateTable("payment_duties")
          .set(changes)
          .where("payment_provider", "=", duty.payment_provider)
          .where("kind", "=", duty.kind)
          .where("subject", "=", duty.subject)
          .where("attempts", "=", ofAttempt)
          .executeTakeFirst(),
      );
    const claimed = await change({ attempts, next_attempt_at: world.now() + claimMs }, duty.attempts);
    if (claimed.numUpdatedRows === 0n) continue;
    try {
      if (duty.kind === "confirm-cancellation") await parts.confirmCancellation(provider, duty);
      else if (duty.kind === "refund-part") await parts.refundPart(provider, duty);
      else if (duty.kind === "cancel-lost-checkout") await parts.cancelLostCheckout(provider, duty.subject);
      else await carryOut(provider, duty);
      await change({ next_attempt_at: null, done_at: world.now(), error: null }, attempts);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const wait = attempts >= mostAttempts ? null : (retryAfterMs[attempts - 1] ?? retryAfterMs[3]);
      await change({ next_attempt_at: wait === null ? null : world.now() + wait, error: error.message.slice(0, 500) }, attempts);
      const details = { duty: duty.kind, subject: duty.subject, order: duty.order_id, err: error };
      if (wait === null) log.error(details, "A duty of the payment provider was given up: somebody has to look.");
      else log.warn(details, "The payment provider did not carry out a duty; it is asked again.");
    }
  }
}
