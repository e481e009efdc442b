/**
 * The books of one provider: webhooks stored once (`inbox.ts`), facts kept in their newest state (`facts.ts`), and what follows for orders and
 * entitlements (`settlement.ts`). Each application recomputes an order from all its facts, so neither order nor repetition of events matters.
 */
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Books } from "./books.ts";
import { applyFacts } from "./facts.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import type { VersionedFact } from "./provider.ts";
import type { Note } from "./service.ts";
import { settle } from "./settlement.ts";
import { acceptedOrders } from "./verdicts.ts";

export interface Ledger extends Inbox {
  /** Applies facts that the provider was asked for, instead of told by webhook. */
  readonly apply: (facts: readonly VersionedFact[]) => Promise<void>;
  /** Adds a fact of our own to an order and settles it; nothing when it is known already. */
  readonly give: (orderId: string, add: (queries: Queries) => Promise<boolean>, note: Note) => Promise<void>;
  /** Settles orders whose refused payment the operator has accepted since. */
  readonly applyAccepted: () => Promise<void>;
}

export function createLedger({ store, onMail, ...books }: Books & { readonly store: Store; readonly onMail: () => void }): Ledger {
  return {
    ...createInbox(store, books, onMail),
    apply: async (facts) => {
      if (await store.write((queries) => applyFacts(queries, books, facts))) onMail();
    },
    give: async (orderId, add, note) => {
      const mail = await store.write(async (queries) => {
        if (!(await add(queries))) return false;
        await note(queries);
        return settle(queries, books, orderId, null);
      });
      if (mail) onMail();
    },
    applyAccepted: async () => {
      for (const orderId of await acceptedOrders(store.read, books.provider.name))
        if (await store.write((queries) => settle(queries, books, orderId, null))) onMail();
    },
  };
}
