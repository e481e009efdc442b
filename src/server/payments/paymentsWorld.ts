/** What the parts of the payments share. */
import type { World } from "../base/world.ts";
import { createKeyedQueue } from "../base/keyedQueue.ts";
import { createLinks, type Links } from "../mail/links.ts";
import type { Store } from "../store/store.ts";
import { type Background, createBackground } from "./background.ts";
import type { LedgerLog } from "./ledgerParts.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import type { PaymentProvider } from "./provider.ts";
import { createTrials, type Trials } from "./trials.ts";

export interface PaymentParts {
  readonly store: Store;
  readonly world: World;
  /** At most one of each name. */
  readonly providers: readonly PaymentProvider[];
  readonly log: LedgerLog;
  /** As configured, the current one first. */
  readonly secretKeys: readonly string[];
  /** Called when mails were queued. */
  readonly onMail: () => void;
}

/** A payment channel: a provider with its ledger. */
export interface Channel {
  readonly provider: PaymentProvider;
  readonly ledger: Ledger;
}

export interface PaymentsWorld extends Pick<PaymentParts, "store" | "world" | "log" | "onMail"> {
  readonly channels: readonly Channel[];
  readonly trials: Trials;
  readonly links: Pick<Links, "create">;
  readonly background: Background;
  /**
   * A queue per account, so that two taps open one checkout. Between processes, two constraints do the same: one open order, and one
   * transaction per order.
   */
  readonly oneAtATime: ReturnType<typeof createKeyedQueue>;
}

export function createPaymentsWorld(parts: PaymentParts): PaymentsWorld {
  const { store, world, providers, log, secretKeys, onMail } = parts;
  const trials = createTrials(parts);
  const links = createLinks(secretKeys, world);
  const channels = providers.map((provider) => ({
    provider,
    ledger: createLedger({ store, world, provider, trials, links, log, onMail }),
  }));
  return { store, world, log, onMail, channels, trials, links, background: createBackground(log), oneAtATime: createKeyedQueue() };
}

/** By a stored provider name; null when that provider is no longer configured. */
export const channelOf = ({ channels }: PaymentsWorld, name: string): Channel | null =>
  channels.find(({ provider }) => provider.name === name) ?? null;
