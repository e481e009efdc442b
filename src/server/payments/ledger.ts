/**
 * The ledger of one provider: stores webhooks once (`inbox.ts`), keeps facts in their newest state (`facts.ts`), and updates orders and
 * entitlements (`settlement.ts`). Each update recomputes an order from all its facts, so neither sequence nor repetition of events matters.
 */
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { applyFacts } from "./facts.ts";
import type { GiftAnswer } from "./gifts.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import type { VersionedFact } from "./provider.ts";
import type { Note } from "./service.ts";
import { settle } from "./settlement.ts";
import { acceptedOrders } from "./verdicts.ts";

export interface Ledger extends Inbox {
  /** Applies facts from the provider's API rather than from a webhook. */
  readonly apply: (facts: readonly VersionedFact[]) => Promise<void>;
  /** Adds granted days to an order and settles it. */
  readonly give: (orderId: string, add: (queries: Queries) => Promise<GiftAnswer>, note: Note) => Promise<GiftAnswer>;
  /** Settles orders whose refused payment an operator has accepted since. */
  readonly applyAccepted: () => Promise<void>;
}

export function createLedger({ store, onMail, ...parts }: LedgerParts & { readonly store: Store; readonly onMail: () => void }): Ledger {
  return {
    ...createInbox(store, parts, onMail),
    apply: async (facts) => {
      if ((await store.write((queries) => applyFacts(queries, parts, facts))).mail) onMail();
    },
    give: async (orderId, add, note) => {
      const { answer, mail } = await store.write(async (queries) => {
        const answer = await add(queries);
        if (answer !== "given") return { answer, mail: false };
        await note(queries);
        return { answer, mail: await settle(queries, parts, orderId, null) };
      });
      if (mail) onMail();
      return answer;
    },
    applyAccepted: async () => {
      for (const orderId of await acceptedOrders(store.read, parts.provider.name))
        if (await store.write((queries) => settle(queries, parts, orderId, null))) onMail();
    },
  };
}
