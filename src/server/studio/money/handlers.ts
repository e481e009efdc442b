/** Handlers of the calls in `studio/contract/money.ts`. */
import { paymentProviders } from "#core/products.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { mayAs } from "#studio/contract/call.ts";
import type { moneyCalls } from "#studio/contract/money.ts";
import type { Services } from "../../handlers/shared/services.ts";
import { Refusal, refuse } from "../../base/refusal.ts";
import { recordAction } from "../audit.ts";
import { runCount } from "../funnel/counting.ts";
import type { StudioHandlers } from "../handler.ts";
import { entriesIn } from "./ledger.ts";
import { lengthOf } from "./overview.ts";
import { failedCharges } from "./plans.ts";
import { keepRates, readRates } from "./rates.ts";
import { latestFindings, reconcileWith, replaceEntries } from "./reconciliation.ts";
import { sumsOf } from "./sums.ts";

/** A chart of more days would be unreadable. */
const mostDays = 800;
const mostFailures = 500;

export const moneyHandlers: StudioHandlers<typeof moneyCalls> = {
  money: async ({ input }, { store, world, settings }) => {
    const length = lengthOf(input);
    if (!(length >= 1 && length <= mostDays)) return refuse("invalidInput", { fields: { to: "validator_required" } });
    return runCount(store, "money", { asked: input, base: settings.reportingCurrency, now: world.now() });
  },

  moneyRows: async ({ input: { kind, after, limit, ...filters } }, { store }) => {
    let query = entriesIn(store.read, filters);
    if (kind !== undefined) query = query.where("e.kind", "=", kind);
    if (after !== undefined) {
      const [at, id] = [Number(after.slice(0, after.indexOf("."))), after.slice(after.indexOf(".") + 1)];
      query = query.where(({ or, and, eb }) => or([eb("e.at", "<", at), and([eb("e.at", "=", at), eb("e.id", "<", id)])]));
    }
    const rows = await query
      .select(["e.id", "e.payment_provider", "e.kind", "e.transaction_id", "e.order_id", "o.product_id", "o.country", "e.at", "e.day"])
      .select(["e.currency", "e.gross", "e.tax", "e.fee"])
      .orderBy("e.at", "desc")
      .orderBy("e.id", "desc")
      .limit(limit + 1)
      .execute();
    const shown = rows.slice(0, limit).map((row) => {
      const own = {
        gross: Number(row.gross),
        tax: row.tax === null ? null : Number(row.tax),
        fee: row.fee === null ? null : Number(row.fee),
      };
      const { net } = sumsOf([{ kind: row.kind, n: 1, gross: own.gross, tax: own.tax ?? 0, fee: own.fee ?? 0, untold: 0 }]);
      return {
        id: row.id,
        provider: row.payment_provider,
        kind: row.kind,
        transactionId: row.transaction_id,
        orderId: row.order_id,
        product: row.product_id,
        country: row.country,
        at: Number(row.at),
        day: row.day,
        currency: row.currency,
        ...own,
        net,
      };
    });
    const last = shown.at(-1);
    return { rows: shown, next: rows.length > limit && last !== undefined ? `${last.at}.${last.id}` : null };
  },

  failedCharges: async ({ input, operator }, { store }) => {
    const failures = await failedCharges(store.read, input);
    const seesPersons = mayAs(operator.role, "support");
    return {
      count: failures.length,
      rows: failures.slice(0, mostFailures).map(({ account, ...row }) => ({ ...row, person: seesPersons ? account : null })),
    };
  },

  cohorts: async ({ input: { months } }, { store, world }) => ({
    rows: (await runCount(store, "cohorts", { now: world.now(), months })).map((row) => ({ ...row, cells: [...row.cells] })),
  }),

  reconciliation: async (_call, services) => {
    const found = await latestFindings(services);
    return Promise.all(
      found.flatMap(({ provider: name, ...findings }) => {
        const provider = paymentProviders.find((known) => known === name);
        return provider === undefined
          ? []
          : [grossSince(services, provider, findings.since).then((gross) => ({ provider, ...findings, gross }))];
      }),
    );
  },

  reconcile: async ({ input: { provider }, operator }, services) => {
    const findings = await reconcileWith(services, provider);
    if (findings === null) return refuse("invalidInput", { fields: { provider: "validator_required" } });
    const { agree, differences, problem } = findings;
    await services.store.write((queries) =>
      recordAction(queries, services.world, {
        operator,
        action: "compared with the provider",
        subject: `provider ${provider}`,
        after: { agree, differences: differences.length },
      }),
    );
    return { agree, differences: differences.length, problem };
  },

  reconcileTake: async ({ input: { provider, transactionId, reason }, operator }, services) => {
    const before = (await latestFindings(services)).find((row) => row.provider === provider);
    const was = before?.differences.filter((difference) => difference.transactionId === transactionId) ?? [];
    const findings = await replaceEntries(services, provider, transactionId);
    if (findings === null) return refuse("notFound");
    const still = findings.differences.filter((difference) => difference.transactionId === transactionId);
    await services.store.write((queries) =>
      recordAction(queries, services.world, {
        operator,
        action: "provider's state taken",
        subject: `transaction ${transactionId}`,
        before: { differences: was },
        after: { differences: still },
        reason,
      }),
    );
    return { agrees: still.length === 0 };
  },

  rates: async (_call, { store, settings }) => ({
    base: settings.reportingCurrency,
    rates: await store.read
      .selectFrom("exchange_rates")
      .select(["currency", "day", "rate", "source"])
      .where("base", "=", settings.reportingCurrency)
      .orderBy("day", "desc")
      .orderBy("currency")
      .limit(500)
      .execute(),
  }),

  ratesImport: async ({ input: { csv, source }, operator }, { store, world, settings }) => {
    const base = settings.reportingCurrency;
    const rates = readRates(csv, base, dayOf(world.now()));
    if (rates instanceof Refusal) return rates;
    const changed = await store.write(async (queries) => {
      const others = await keepRates(queries, store.dialect, { base, source, rates });
      await recordAction(queries, world, {
        operator,
        action: "exchange rates imported",
        subject: `rates of ${base}`,
        after: { rates: rates.length, changed: others, source },
      });
      return others;
    });
    return { imported: rates.length, changed };
  },
};

async function grossSince({ store }: Pick<Services, "store">, provider: string, since: number) {
  const rows = await store.read
    .selectFrom("money_entries")
    .select((eb) => ["currency", eb.fn.sum("gross").as("amount")])
    .where("payment_provider", "=", provider)
    .where("kind", "=", "payment")
    .where("at", ">=", since)
    .groupBy("currency")
    .orderBy("currency")
    .execute();
  return rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }));
}
