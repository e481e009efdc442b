/** Webhooks: each is stored before it is acknowledged, and applied once, after the answer. */
import { inOwnTrace } from "../base/traces.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { noteBuyer } from "./buyers.ts";
import { applyFacts } from "./facts.ts";
import type { SignedEvent, VersionedFact } from "./provider.ts";

const batchSize = 100;
/** Most webhooks stored by one commit. */
const storeTogether = 100;
/** Most commits of new webhooks that a run lets go first before it applies again. A burst of a thousand is answered within them. */
const commitsFirst = 10;
/** How many failed webhooks a run tries again before it looks whether new ones have arrived. */
const triedAgainTogether = 10;
/** A run that has tried so many again in vain leaves the others to the next run. */
const triedInVainAtMost = 20;
/** Most webhooks applied by one commit. On PostgreSQL, several would take their locks out of sequence (`lockAccounts`), and could deadlock. */
const applyTogether = { sqlite: 10, postgres: 1 };

export interface Inbox {
  /** Resolves when the event is durable. The same event counts once. */
  readonly store: (event: SignedEvent) => Promise<void>;
  /** Applies the stored webhooks that are not applied yet, oldest first, then tries failed ones again, those with the fewest tries first. */
  readonly applyStored: () => Promise<void>;
}

export function createInbox(store: Store, parts: LedgerParts, onMail: () => void): Inbox {
  const arrivals = createArrivals(store, parts);
  let applying: Promise<void> = Promise.resolve();
  return {
    store: arrivals.store,
    applyStored: () => (applying = applying.catch(() => undefined).then(() => drain(store, parts, arrivals.storing, onMail))),
  };
}

/** Webhooks that arrive during a commit are stored together by the next one; each is answered after its own commit. */
function createArrivals(store: Store, parts: LedgerParts) {
  const incoming: { readonly event: SignedEvent; readonly stored: PromiseWithResolvers<void> }[] = [];
  /** The commit under way, with the number of its webhooks. */
  let storing: Promise<number> | null = null;
  async function storeGroup(): Promise<number> {
    const group = incoming.splice(0, storeTogether);
    try {
      await keepEvents(
        store,
        parts,
        group.map(({ event }) => event),
      );
      for (const { stored } of group) stored.resolve();
    } catch {
      // A webhook that cannot be stored must not prevent the others from being stored.
      for (const { event, stored } of group) await keepEvents(store, parts, [event]).then(stored.resolve, stored.reject);
    }
    storing = incoming.length > 0 ? storeGroup() : null;
    return group.length;
  }
  return {
    store: (event: SignedEvent): Promise<void> => {
      const stored = Promise.withResolvers<void>();
      incoming.push({ event, stored });
      storing ??= storeGroup();
      return stored.promise;
    },
    storing: () => storing,
  };
}

async function keepEvents(store: Store, { provider, world }: LedgerParts, events: readonly SignedEvent[]): Promise<void> {
  await store.write(async (queries) => {
    await queries
      .insertInto("provider_events")
      .values(
        events.map(({ eventId, eventType, payload }) => ({
          payment_provider: provider.name,
          event_id: eventId,
          event_type: eventType,
          payload,
          received_at: world.now(),
          applied_at: null,
        })),
      )
      .onConflict((conflict) => conflict.columns(["payment_provider", "event_id"]).doNothing())
      .execute();
  });
}

/**
 * Answering the provider comes first: while new webhooks are stored (`storing`), it waits for a few commits of theirs, and then applies as many. It does
 * not wait until no more arrive: after an outage or on a day of many renewals that takes minutes.
 *
 * A webhook that failed before is tried again only when no other waits: some may fail each time, and must not delay those that can be applied.
 */
async function drain(store: Store, parts: LedgerParts, storing: () => Promise<number> | null, onMail: () => void): Promise<void> {
  const failed: string[] = [];
  let triedInVain = 0;
  for (let newOnly = true; ;) {
    const waiting = await waitingWebhooks(store, parts, newOnly, failed);
    if (waiting.length === 0 && !newOnly) return;
    const isRetry = waiting[0] !== undefined && waiting[0].attempts > 0;
    if (isRetry && triedInVain >= triedInVainAtMost) return;
    const due = isRetry ? waiting.slice(0, triedAgainTogether) : waiting.filter(({ attempts }) => attempts === 0);
    newOnly = due.length === batchSize;
    const ids = due.map(({ event_id: id }) => id);
    while (ids.length > 0) {
      const turn = ids.splice(0, (await storedFirst(storing)) || applyTogether[store.dialect]);
      while (turn.length > 0) {
        const unapplied = await applyGroup(store, parts, turn.splice(0, applyTogether[store.dialect]), onMail);
        failed.push(...unapplied);
        if (isRetry) triedInVain += unapplied.length;
      }
    }
  }
}

/** Webhooks to apply, except those that have failed in this run: new ones first. An index has new ones in order; for failed ones, all are sorted. */
function waitingWebhooks({ read }: Store, { provider }: LedgerParts, newOnly: boolean, failed: readonly string[]) {
  return (
    read
      .selectFrom("provider_events")
      .select(["event_id", "attempts"])
      .where("payment_provider", "=", provider.name)
      .where("applied_at", "is", null)
      .$if(failed.length > 0, (some) => some.where("event_id", "not in", failed))
      .$if(newOnly, (some) => some.where("attempts", "=", 0))
      .$if(!newOnly, (some) => some.orderBy("attempts"))
      .orderBy("received_at")
      // For webhooks of the same moment: a provider's ids increase with time.
      .orderBy("event_id")
      .limit(batchSize)
      .execute()
  );
}

/** Waits for new webhooks to be stored, at most `commitsFirst` commits. @returns the number of the stored webhooks; 0 when none arrive */
async function storedFirst(storing: () => Promise<number> | null): Promise<number> {
  let stored = 0;
  for (let commits = 0; commits < commitsFirst; commits++) {
    const now = await storing();
    if (now === null) break;
    stored += now;
  }
  return stored;
}

/** Applies webhooks by one commit. If one fails, each is applied by a commit of its own. Returns those that failed. */
async function applyGroup(store: Store, parts: LedgerParts, ids: readonly string[], onMail: () => void): Promise<readonly string[]> {
  try {
    const queued = await store.write(async (queries) => {
      let queued = false;
      for (const id of ids) queued = (await applyInTrace(queries, parts, id)) || queued;
      return queued;
    });
    if (queued) onMail();
    return [];
  } catch (error) {
    const [id] = ids;
    if (id === undefined) return [];
    if (ids.length === 1) {
      await noteFailure(store, parts, id, error);
      parts.log.error({ event: id, err: error }, "A webhook could not be applied.");
      return [id];
    }
  }
  // A failed webhook stays stored and is tried again in the next round. The others do not wait for it.
  const failed: string[] = [];
  for (const id of ids) failed.push(...(await applyGroup(store, parts, [id], onMail)));
  return failed;
}

function applyInTrace(queries: Queries, parts: LedgerParts, eventId: string): Promise<boolean> {
  const attributes = { "parlando.event": eventId, "parlando.provider": parts.provider.name };
  return inOwnTrace("webhook", "internal", attributes, () => applyEvent(queries, parts, eventId));
}

/** Returns whether a mail was queued. */
async function applyEvent(queries: Queries, parts: LedgerParts, eventId: string): Promise<boolean> {
  const { provider, world, log } = parts;
  const event = await queries
    .updateTable("provider_events")
    .set({ applied_at: world.now(), error: null })
    .where("payment_provider", "=", provider.name)
    .where("event_id", "=", eventId)
    .where("applied_at", "is", null)
    .returning(["payment_provider", "event_id", "payload", "received_at"])
    .executeTakeFirst();
  if (event === undefined) return false;
  let facts: readonly VersionedFact[] | null = null;
  try {
    facts = provider.factsOf(event.payload);
  } catch (error) {
    // Signed, but of an unknown shape: a person must look at it, and the next ones must not wait.
    log.error({ event: eventId, err: error }, "A webhook's payload could not be read.");
    await eventOf(queries, parts, eventId)
      .set({ error: `It could not be read: ${sentenceOf(error)}` })
      .execute();
  }
  const applied = facts === null ? { mail: false, orderId: null } : await applyFacts(queries, parts, facts);
  await noteBuyer(queries, event, facts?.map(({ fact }) => fact) ?? null, applied.orderId);
  return applied.mail;
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
const eventOf = (queries: Queries, { provider }: LedgerParts, eventId: string) =>
  queries.updateTable("provider_events").where("payment_provider", "=", provider.name).where("event_id", "=", eventId);

/** Records a failed attempt to apply a webhook. */
async function noteFailure(store: Store, parts: LedgerParts, eventId: string, error: unknown): Promise<void> {
  await store
    .write((queries) =>
      eventOf(queries, parts, eventId)
        .set((row) => ({ attempts: row("attempts", "+", 1), error: sentenceOf(error) }))
        .where("applied_at", "is", null)
        .execute(),
    )
    // A database that could not apply it may refuse this write as well. The error is in the log.
    .catch(() => undefined);
}
