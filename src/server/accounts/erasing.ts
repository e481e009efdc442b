/**
 * Erases accounts. The account is closed, hidden and excluded from exports at once. Its personal data is then deleted in small writes that do not
 * delay other writers. Each erasure is claimed with a lease (decision 084); when its process is killed, another one continues.
 */
import { knownLocale } from "#core/locales.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { World } from "../base/world.ts";
import { createRounds } from "../base/rounds.ts";
import { queueMail } from "../mail/outbox.ts";
import { forgetBuyer } from "../payments/buyers.ts";
import type { PaymentService } from "../payments/service.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { lockUnlessErased } from "../store/lockAccounts.ts";
import { endLongWaits } from "../store/waits.ts";
import { forgetChanges } from "./emailChanges.ts";
import { type Erasure, firstSteps, type Place, stepsOf } from "./erasureSteps.ts";

/** Longer than any write takes. */
const claimMs = 2 * 60_000;
const againAfterMs = 60_000;
const lookEveryMs = 60_000;
/** How often a step looks again for rows that were added meanwhile. Anybody can go on sending events that name the person. */
const mostPasses = 5;

export interface Erasing {
  /** Closes and hides the account in the caller's transaction; null when it is already gone. Call `wake` afterwards. */
  readonly begin: (queries: Queries, accountUuid: string) => Promise<"begun" | null>;
  readonly wake: () => void;
  /** Polls every minute for erasures that another process left unfinished. */
  readonly start: () => void;
  /** Resolves when all due erasures are done. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Whether the account has a plan that would renew or could still be used. */
async function hasPlan(queries: Queries, accountUuid: string, now: number): Promise<boolean> {
  const found = await queries
    .selectFrom("entitlements")
    .select("order_id")
    .where("account_uuid", "=", accountUuid)
    .where("status", "<>", "deleted")
    .where((fields) => fields.or([fields("status", "=", "paused"), fields("ends_at", ">", now)]))
    .executeTakeFirst();
  return found !== undefined;
}

/** Queues the only mail that is sent after the account is gone. It does not name the account, and is deleted from the outbox once sent. */
async function confirmInWriting(
  queries: Queries,
  world: World,
  { email, firstname, locale }: { readonly email: string; readonly firstname: string | null; readonly locale: string },
): Promise<void> {
  await queueMail(queries, world, {
    accountUuid: null,
    template: "erased",
    locale: knownLocale(locale),
    recipient: email,
    data: { firstname },
  });
}

/** Closes and hides an account; null when it is gone or already being erased. */
async function beginErasing(queries: Queries, world: World, accountUuid: string): Promise<"begun" | null> {
  const now = world.now();
  // Locked first, as in every write: the owner's and an operator's erasure would otherwise wait for each other.
  if (!(await lockUnlessErased(queries, accountUuid))) return null;
  const account = await queries
    .selectFrom("accounts")
    .select(["email", "firstname", "locale"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirstOrThrow();
  const erasure: Erasure = { account_uuid: accountUuid, email: account.email, stand_in: world.uuid(), asked_at: now };
  await queries
    .insertInto("erasures")
    .values({ ...erasure, attempts: 0, next_attempt_at: now })
    .execute();
  await queries
    .updateTable("accounts")
    // No real address is spelled like this. Nobody can log in with it, and the old address becomes free.
    .set({
      email: `erased ${accountUuid}`,
      email_confirmed_at: null,
      password_hash: null,
      firstname: null,
      marketing_consent: null,
      trust_epoch: world.uuid(),
      updated_at: now,
    })
    .where("uuid", "=", accountUuid)
    .execute();
  if (await hasPlan(queries, accountUuid, now)) await confirmInWriting(queries, world, account);
  for (const step of firstSteps) await step(queries, erasure, world, { after: null });
  // No link may restore an address of an account that is being erased.
  await forgetChanges(queries, accountUuid);
  return "begun";
}

/** Claims of erasures. One process at a time holds the claim; the number of attempts identifies it. */
const createClaims = (store: Store, world: World) => ({
  /** Claims an erasure; false when another process was first. */
  async take({ account_uuid }: Erasure, before: number): Promise<boolean> {
    const { numUpdatedRows } = await store.write((queries) =>
      queries
        .updateTable("erasures")
        .set({ attempts: before + 1, next_attempt_at: world.now() + claimMs })
        .where("account_uuid", "=", account_uuid)
        .where("attempts", "=", before)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  },
  /** Writes only while the claim is held, and extends the claim. Null when another process holds it. */
  held<T>({ account_uuid }: Erasure, attempts: number, work: (queries: Queries) => Promise<T>): Promise<T | null> {
    return store.write(async (queries) => {
      const { numUpdatedRows } = await queries
        .updateTable("erasures")
        .set({ next_attempt_at: world.now() + claimMs })
        .where("account_uuid", "=", account_uuid)
        .where("attempts", "=", attempts)
        .executeTakeFirst();
      return numUpdatedRows === 0n ? null : work(queries);
    });
  },
  /** Releases the claim, so that any process may take it after `forMs`. */
  leave({ account_uuid }: Erasure, attempts: number, forMs: number): Promise<unknown> {
    return store.write((queries) =>
      queries
        .updateTable("erasures")
        .set({ next_attempt_at: world.now() + forMs })
        .where("account_uuid", "=", account_uuid)
        .where("attempts", "=", attempts)
        .execute(),
    );
  },
});

export function createErasing(parts: {
  readonly store: Store;
  readonly world: World;
  readonly payments: Pick<PaymentService, "noteBuyers">;
  readonly log: { readonly error: (details: object, message: string) => void };
}): Erasing {
  const { store, world, payments, log } = parts;
  const steps = stepsOf(store.dialect);
  const claims = createClaims(store, world);

  /** Continues until nothing is left, the claim is lost, or the process shuts down. */
  async function erase(erasure: Erasure, attempts: number): Promise<void> {
    for (const step of steps) {
      const place: Place = { after: null };
      for (let pass = 1; pass <= mostPasses;) {
        if (rounds.stopped()) return;
        const rows = await claims.held(erasure, attempts, (queries) => step(queries, erasure, world, place));
        if (rows === null) return;
        await nextTurn();
        if (rows > 0) continue;
        if (place.after === null) break;
        // Start over: rows may have been added meanwhile.
        place.after = null;
        pass++;
      }
    }
    await payments.noteBuyers();
    for (let done = false; !done && !rounds.stopped();) {
      // Deleting the account deletes its erasure.
      const gone = await claims.held(erasure, attempts, async (queries) => {
        if ((await forgetBuyer(queries, erasure.account_uuid)) > 0) return false;
        await queries.deleteFrom("accounts").where("uuid", "=", erasure.account_uuid).execute();
        return true;
      });
      await nextTurn();
      done = gone ?? true;
    }
  }

  async function eraseDue(): Promise<void> {
    const now = world.now();
    await endLongWaits(store, now, "erasures", [0, claimMs]);
    const due = await store.read.selectFrom("erasures").selectAll().where("next_attempt_at", "<=", now).orderBy("asked_at").execute();
    for (const { attempts: before, ...erasure } of due) {
      if (rounds.stopped()) return;
      const attempts = before + 1;
      if (!(await claims.take(erasure, before))) continue;
      try {
        await erase(erasure, attempts);
        // Releases the claim, so that another process need not wait for it to expire.
        if (rounds.stopped()) await claims.leave(erasure, attempts, 0);
      } catch (error) {
        log.error({ err: error, account: erasure.account_uuid }, "An account could not be erased yet.");
        await claims.leave(erasure, attempts, againAfterMs);
      }
    }
  }

  const rounds = createRounds(eraseDue, (error) => log.error({ err: error }, "The accounts to erase could not be read."));

  return {
    begin: (queries, accountUuid) => beginErasing(queries, world, accountUuid),
    wake: rounds.wake,
    start: () => rounds.start(lookEveryMs),
    settled: async () => {
      for (let running = rounds.running(); running !== null; running = rounds.running()) await running;
    },
    stop: rounds.stop,
  };
}
