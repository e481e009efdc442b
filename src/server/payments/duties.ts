/**
 * What providers have to do for us: money back, an end to what is superseded. Written in the transaction that made it
 * necessary, so a crash in between forgets nothing. A process claims a duty before it asks, for as long as asking may take: no two do one
 * thing at once, and what a killed process had begun is looked at again. The providers take no idempotency key; each is asked first whether
 * it has done the thing already.
 */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import type { PaymentDutiesTable } from "../store/paymentTables.ts";
import { type PaymentProvider, ProviderFailure } from "./provider.ts";

/**
 * `confirm-cancellation`: somebody began to cancel here; what came of it is told them in writing. `cancel-lost-checkout`: an order ended while
 * its checkout was being made, and whoever made it may have died: what is found of it ends. `refund-part`: what was paid for the months after an early end (earlyEnds.ts).
 * `refund-asked`: an operator gave a part back.
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
  /** The provider's transaction or subscription; of a lost checkout, our order; of a part that is given back, its own id. */
  readonly subject: string;
  /** What is given back a part of, and how much. */
  readonly part?: { readonly transactionId: string; readonly amount: number };
  readonly orderId: string;
  readonly reason: string;
  readonly now: number;
}

const minuteMs = 60_000;
/** The wait after each failed try; the last one repeats. */
const retryAfterMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs] as const;
/** About three days; then a person has to look. */
const mostAttempts = 40;
/** Longer than carrying one out can take: a provider is asked at most three times, ten seconds each. */
const claimMs = 2 * minuteMs;
/** By the number of tries so far. One without a try may be claimed by a process that is at it (`beginDuty`). */
const longestWaits = [claimMs, claimMs, ...retryAfterMs.slice(1)] as const;
const batchSize = 20;

export const cancelledByOwner = "cancelled by its owner";
export const cancelledWithoutLogin = "cancelled without logging in";
/** Why a cancellation is confirmed with which a planned pause ends. */
export const insteadOfPause = (reason: string) => `${reason} instead of a pause`;
/** Whether the mail about a cancellation has the link that takes it back: nobody had to show who they are. */
export const canBeKept = (provider: Pick<PaymentProvider, "keepsCancelled">, reason: string) =>
  provider.keepsCancelled && [cancelledWithoutLogin, insteadOfPause(cancelledWithoutLogin)].includes(reason);

/** Within the caller's write; the same duty counts once. */
export async function addDuty(queries: Queries, { provider, kind, subject, orderId, reason, now, part }: Duty): Promise<void> {
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
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Within the caller's write: something that the caller does itself now. It is due, also once more, when the caller had time enough to do
 * it and has not said that it is done.
 */
export async function beginDuty(queries: Queries, { provider, kind, subject, orderId, reason, now }: Duty): Promise<void> {
  const due = { order_id: orderId, reason, created_at: now, attempts: 0, next_attempt_at: now + claimMs, done_at: null, error: null };
  const noPart = { transaction_id: null, amount: null };
  await queries
    .insertInto("payment_duties")
    .values({ payment_provider: provider, kind, subject, ...due, ...noPart })
    .onConflict((conflict) => conflict.columns(["payment_provider", "kind", "subject"]).doUpdateSet(due))
    .execute();
}

/** Within the caller's write; false when it was done already. */
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

/** Whether the owner asked for a subscription's end, and whether that was confirmed to them already. It is told once. */
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

/** Whether the owner has asked for a subscription's end, and nobody has told them yet that it is planned. */
export async function isBeingCancelled(queries: Queries, provider: string, subscriptionId: string): Promise<boolean> {
  const duty = await queries
    .selectFrom("payment_duties")
    .select("subject")
    .where("payment_provider", "=", provider)
    .where("kind", "=", "confirm-cancellation")
    .where("subject", "=", subscriptionId)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return duty !== undefined;
}

async function carryOut(
  provider: PaymentProvider,
  { kind, subject, reason, transaction_id: of, amount }: PaymentDutiesTable,
): Promise<void> {
  if (kind === "refund") await provider.refund(subject, reason);
  else if (kind === "refund-asked" && of !== null && amount !== null) await provider.refund(of, reason, { amount, id: subject });
  else if (kind === "cancel-subscription") await provider.endSubscription(subject);
  // Too late to cancel is no failure: what is paid then is given back.
  else if (kind === "cancel-checkout") await provider.cancelCheckout(subject);
}

/** Carries out what is due; what fails is tried again later. */
export async function runDuties(parts: {
  readonly store: Store;
  readonly world: World;
  readonly providers: readonly PaymentProvider[];
  readonly confirmCancellation: (provider: PaymentProvider, duty: PaymentDutiesTable) => Promise<void>;
  readonly giveBackPart: (provider: PaymentProvider, duty: PaymentDutiesTable) => Promise<void>;
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
    .where(
      "payment_provider",
      "in",
      providers.map(({ name }) => name),
    )
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
      else if (duty.kind === "refund-part") await parts.giveBackPart(provider, duty);
      else if (duty.kind === "cancel-lost-checkout") await parts.cancelLostCheckout(provider, duty.subject);
      else await carryOut(provider, duty);
      await change({ next_attempt_at: null, done_at: world.now(), error: null }, attempts);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const wait = attempts >= mostAttempts ? null : (retryAfterMs[attempts - 1] ?? retryAfterMs[3]);
      await change({ next_attempt_at: wait === null ? null : world.now() + wait, error: error.message.slice(0, 500) }, attempts);
      const details = { duty: duty.kind, subject: duty.subject, order: duty.order_id, err: error };
      if (wait === null) log.error(details, "The payment provider never did what it must: somebody has to look.");
      else log.warn(details, "The payment provider did not do what it must; it is asked again.");
    }
  }
}
