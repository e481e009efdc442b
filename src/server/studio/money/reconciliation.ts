/** Reconciles our entries with a provider's by id, amount and state. */
import type { PaymentProviderName } from "#core/products.ts";
import { type Difference, type Findings, findingsSchema } from "#studio/contract/money.ts";
import * as v from "valibot";
import type { Services } from "../../handlers/shared/services.ts";
import { type Entry, entriesOf } from "../../payments/entries.ts";
import { ProviderFailure, type VersionedFact } from "../../payments/provider.ts";

type Parts = Pick<Services, "store" | "world" | "payments">;
/** The compared period, ms. */
const comparedFor = 35 * 86_400_000;
/** Younger entries are skipped: they may not have reached both sides yet, ms. */
const settling = 5 * 60_000;
const mostDifferences = 500;

interface Booked extends Pick<Entry, "id" | "kind" | "transaction_id" | "gross" | "currency" | "at"> {
  readonly order_id: string | null;
}
const sumOf = (entry: Pick<Entry, "gross" | "currency"> | undefined) =>
  entry === undefined ? null : { amount: Number(entry.gross), currency: entry.currency };

/** The entries that a provider's facts should have made. */
function providerEntries(facts: readonly VersionedFact[]): ReadonlyMap<string, Entry> {
  const all = facts.map(({ fact }) => fact);
  const adjustments = all.filter((fact) => fact.kind === "adjustment");
  const entries = all
    .filter((fact) => fact.kind === "transaction")
    .flatMap((transaction) =>
      entriesOf(
        transaction,
        adjustments.filter(({ transactionId }) => transactionId === transaction.id),
      ),
    );
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function compare(
  here: ReadonlyMap<string, Booked>,
  there: ReadonlyMap<string, Entry>,
  isComparable: (entry: Booked | Entry) => boolean,
): Pick<Findings, "agree" | "differences"> {
  let agree = 0;
  const differences: Difference[] = [];
  for (const id of new Set([...here.keys(), ...there.keys()])) {
    const [ours, theirs] = [here.get(id), there.get(id)];
    const entry = ours ?? theirs;
    if (entry === undefined) continue;
    if (ours !== undefined && theirs !== undefined && Number(ours.gross) === theirs.gross && ours.currency === theirs.currency) {
      agree += 1;
      continue;
    }
    if ((ours === undefined || theirs === undefined) && !isComparable(entry)) continue;
    differences.push({
      id,
      transactionId: entry.transaction_id,
      orderId: ours?.order_id ?? null,
      kind: entry.kind,
      state: ours === undefined ? "missing here" : theirs === undefined ? "missing there" : "differs",
      here: sumOf(ours),
      there: sumOf(theirs),
      at: Number(entry.at),
    });
  }
  return { agree, differences: differences.toSorted((a, b) => b.at - a.at).slice(0, mostDifferences) };
}

async function find({ store, world, payments }: Parts, provider: PaymentProviderName, since: number): Promise<Findings | null> {
  const now = world.now();
  try {
    const told = await payments.listMoney(provider, since);
    if (told === null) return null;
    const there = providerEntries(told);
    const booked = await store.read
      .selectFrom("money_entries")
      .select(["id", "kind", "transaction_id", "gross", "currency", "at", "order_id"])
      .where("payment_provider", "=", provider)
      .where(({ or, eb }) => or([eb("at", ">=", since), eb("transaction_id", "in", [...there.keys(), ""].slice(0, 500))]))
      .execute();
    const here = new Map<string, Booked>(booked.map((row) => [row.id, row]));
    // Paddle Classic lists neither chargebacks nor partial refunds, so they cannot be reported as missing there.
    const isListed = (entry: Booked | Entry) => entry.kind === "payment" || provider === "paddlebilling";
    const isComparable = (entry: Booked | Entry) => Number(entry.at) >= since && now - Number(entry.at) > settling && isListed(entry);
    return { ...compare(here, there, isComparable), prices: [...(await payments.priceDifferences(provider))], problem: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { agree: 0, differences: [], prices: [], problem: error.message.slice(0, 300) };
  }
}

/** Reconciles with a provider and stores the findings; null when the provider is not configured. */
export async function reconcileWith(parts: Parts, provider: PaymentProviderName): Promise<Findings | null> {
  const at = parts.world.now();
  const since = at - comparedFor;
  const findings = await find(parts, provider, since);
  if (findings === null) return null;
  const row = { at, since, findings: JSON.stringify(findings) };
  await parts.store.write((queries) =>
    queries
      .insertInto("reconciliations")
      .values({ payment_provider: provider, ...row })
      .onConflict((conflict) => conflict.column("payment_provider").doUpdateSet(row))
      .execute(),
  );
  return findings;
}

/** Replaces our entries of a transaction with the provider's; null when the provider has none. */
export async function replaceEntries(parts: Parts, provider: PaymentProviderName, transactionId: string): Promise<Findings | null> {
  const told = await parts.payments.listMoney(provider, parts.world.now() - comparedFor);
  const own = (told ?? []).filter(
    ({ fact }) => fact.kind !== "subscription" && (fact.kind === "transaction" ? fact.id : fact.transactionId) === transactionId,
  );
  if (own.length === 0) return null;
  await parts.payments.applyFacts(provider, own);
  return reconcileWith(parts, provider);
}

export async function latestFindings({ store }: Pick<Parts, "store">) {
  const rows = await store.read.selectFrom("reconciliations").selectAll().orderBy("payment_provider", "desc").execute();
  return rows.map((row) => ({
    provider: row.payment_provider,
    at: Number(row.at),
    since: Number(row.since),
    ...v.parse(v.pipe(v.string(), v.parseJson(), findingsSchema), row.findings),
  }));
}
