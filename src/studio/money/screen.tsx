import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { type Input, type Output, useCall } from "../client.ts";
import { breakdowns, type Counts, moneyWords } from "../contract/money.ts";
import { Button } from "../parts/Button.tsx";
import { CsvButton } from "../parts/Csv.tsx";
import { DaysFilter, Filter } from "../parts/Filter.tsx";
import { inWords } from "../parts/formats.ts";
import { Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Definition, Figure } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { useMe } from "../shell/operator.ts";
import { Agrees } from "./Agrees.tsx";
import { Cohorts } from "./Cohorts.tsx";
import { FailedCharges } from "./FailedCharges.tsx";
import { type Group, groupKey, Groups } from "./Groups.tsx";
import styles from "./money.module.css";
import { NetByDay, NetTable } from "./NetByDay.tsx";
import { Rates } from "./Rates.tsx";
import { csvRows, Rows } from "./Rows.tsx";
import type { MoneySearch } from "./search.ts";
import { breakdownWords, countryWords, dayBefore, daysIn, filtersOf, keyWords, providerWords } from "./words.ts";

export const Route = createLazyRoute("/money")({ component: Money });

type Found = Output<"money">;

function Money() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const { now } = useMe();
  const filters = filtersOf(search, now);
  const by = search.by ?? "currency";
  const money = useCall("money", { ...filters, by });
  const set = (change: Partial<MoneySearch>) => void navigate({ to: "/money", search: { ...search, ...change }, replace: true });
  const { rows: kind } = search;
  return (
    <>
      <PageHead
        title="Money"
        says={<Rate found={money.data} />}
        actions={
          <>
            <Button onClick={() => set({ rows: "all" })}>Rows</Button>
            <CsvButton name={`money-${filters.from}-${filters.to}`} rows={() => csvRows(filters)} />
          </>
        }
      >
        <Filters search={search} found={money.data} days={filters} latest={dayBefore(now, 0)} onChange={set} />
      </PageHead>
      <Shown of={money}>
        {(found) => (
          <>
            <Figures found={found} days={daysIn(filters)} />
            <Split columns="minmax(0, 1fr) 404px" early>
              <Column>
                <NetPerDay search={search} found={found} days={filters} onChange={set} />
                <Breakdown search={search} by={by} found={found} onChange={set} />
              </Column>
              <Column side>
                <Agrees />
                <Cohorts />
                <Section title="More">
                  <More counts={found.counts} onFailed={() => set({ failed: "open" })} />
                </Section>
                <Rates />
              </Column>
            </Split>
          </>
        )}
      </Shown>
      {search.failed === "open" && <FailedCharges filters={filters} onClose={() => set({ failed: undefined })} />}
      {kind !== undefined && (
        <Rows
          title={search.of === undefined ? "Rows" : `Rows: ${keyWords(by, search.of)}`}
          filters={{ ...filters, ...narrowed(search) }}
          kind={kind}
          onKind={(next) => set({ rows: next })}
          onClose={() => set({ rows: undefined, of: undefined, in: undefined })}
        />
      )}
    </>
  );
}

function NetPerDay({
  search,
  found,
  days,
  onChange,
}: {
  readonly search: MoneySearch;
  readonly found: Found;
  readonly days: { readonly from: string; readonly to: string };
  readonly onChange: (change: Partial<MoneySearch>) => void;
}) {
  return (
    <Section
      title="Net proceeds per day"
      says={`${inWords.day(days.from)}–${inWords.day(days.to)}, day of the charge, UTC`}
      actions={
        <Segmented
          label="View"
          value={search.view ?? "chart"}
          options={[
            ["chart", "Chart"],
            ["table", "Table"],
          ]}
          onChange={(view) => onChange({ view })}
        />
      }
    >
      {search.view === "table" ? (
        <NetTable days={found.days} base={found.base} />
      ) : (
        <NetByDay days={found.days} base={found.base} before={found.before.total.net} />
      )}
    </Section>
  );
}

function Breakdown({
  search,
  by,
  found,
  onChange,
}: {
  readonly search: MoneySearch;
  readonly by: (typeof breakdowns)[number];
  readonly found: Found;
  readonly onChange: (change: Partial<MoneySearch>) => void;
}) {
  return (
    <Section
      title={`By ${by}`}
      says={`${inWords.counted(found.total.payments, "payment")}, ${inWords.counted(found.total.refunded, "refund")}. Open a row to see its payments.`}
      actions={
        <Segmented
          label="By"
          value={by}
          options={breakdowns.map((each) => [each, breakdownWords[each]])}
          onChange={(next) => onChange({ by: next, of: undefined, in: undefined })}
        />
      }
    >
      {found.groups.length === 0 ? (
        <Empty title="No payments in these days">Choose other days or fewer filters.</Empty>
      ) : (
        <Groups
          found={found}
          by={by}
          chosen={search.in === undefined ? null : groupKey({ key: search.of ?? "", currency: search.in })}
          onOpen={({ key, currency }: Group) => onChange({ rows: "all", of: key, in: currency })}
        />
      )}
    </Section>
  );
}

/** The filter for the payments of one table row. */
function narrowed({ by = "currency", of, in: currency }: MoneySearch): Partial<Input<"moneyRows">> {
  if (of === undefined) return {};
  const own = currency === undefined ? {} : { currency };
  if (by === "day") return { ...own, from: of, to: of };
  if (by === "product") return { ...own, product: of };
  if (by === "country") return { ...own, country: of };
  return by === "provider" && (of === "paddle" || of === "paddlebilling") ? { ...own, provider: of } : own;
}

function Rate({ found }: { readonly found: Found | undefined }) {
  if (found === undefined) return <>Net: gross less tax, provider’s fees, refunds and chargebacks.</>;
  const { base, ratesDay, ratesSource, withoutRate, total } = found;
  return (
    <>
      {ratesDay === null ? `Sums are in ${base}.` : `Sums are in ${base} at the rates of ${inWords.dayAndYear(ratesDay)} (${ratesSource}).`}{" "}
      Net: gross less tax, provider’s fees, refunds and chargebacks.
      {withoutRate.length > 0 && ` No rate is known for ${withoutRate.join(", ")}: they are shown in their own currency and in no total.`}
      {total.untold > 0 && ` The provider has not reported tax or fee for ${inWords.count(total.untold)} rows.`}
    </>
  );
}

function Filters({
  search,
  found,
  days,
  latest,
  onChange,
}: {
  readonly search: MoneySearch;
  readonly found: Found | undefined;
  readonly days: { readonly from: string; readonly to: string };
  readonly latest: string;
  readonly onChange: (change: Partial<MoneySearch>) => void;
}) {
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  const choices = found?.choices ?? { currencies: [], products: [], countries: [] };
  return (
    <>
      <DaysFilter label="Days" from={days.from} to={days.to} max={latest} onChange={onChange} />
      <Filter
        label="Currency"
        single
        options={choices.currencies.map((value) => ({ value, words: value }))}
        chosen={one(search.currency)}
        onChange={([currency]) => onChange({ currency })}
      />
      <Filter
        label="Product"
        single
        options={choices.products.map((value) => ({ value, words: value }))}
        chosen={one(search.product)}
        onChange={([product]) => onChange({ product })}
      />
      <Filter
        label="Country"
        single
        options={[...choices.countries, "none"].map((value) => ({ value, words: countryWords(value) }))}
        chosen={one(search.country)}
        onChange={([country]) => onChange({ country })}
      />
      <Filter
        label="Provider"
        single
        options={Object.entries(providerWords).map(([value, words]) => ({ value, words }))}
        chosen={one(search.provider)}
        onChange={([provider]) => onChange({ provider: provider === "paddle" || provider === "paddlebilling" ? provider : undefined })}
      />
    </>
  );
}

/** Shares are shown only of at least this number of payments. */
const fewestForShare = 30;
const share = (part: number, of: number) => (of < fewestForShare ? (of === 0 ? "–" : `${part} of ${of}`) : inWords.share(part / of));

function Figures({ found, days }: { readonly found: Found; readonly days: number }) {
  const { total, before, base, counts } = found;
  const change = before.total.net === 0 ? null : total.net / before.total.net - 1;
  const rate = (label: string, definition: string, of: (counts: Counts) => { readonly due: number; readonly paid: number }) => {
    const [now, then] = [of(counts), of(before.counts)];
    return (
      <Figure
        label={
          <span className={styles["head"]}>
            {label} <Definition of={label}>{definition}</Definition>
          </span>
        }
        value={share(now.paid, now.due)}
        says={`${inWords.count(now.paid)} of ${inWords.count(now.due)} · before: ${share(then.paid, then.due)}`}
      />
    );
  };
  return (
    <div className={styles["figures"]}>
      <Figure
        large
        label={
          <span className={styles["head"]}>
            Net proceeds <Definition of="Net proceeds">{moneyWords.net}</Definition>
          </span>
        }
        value={inWords.money(total.net, base)}
        says={`${days === 1 ? "the day" : `${days} days`} before: ${inWords.money(before.total.net, base)}${change === null ? "" : ` · ${inWords.difference(change, 1)}`}`}
      />
      {rate("Trials that became paid", moneyWords.trials, ({ trials }) => trials)}
      {rate("Renewed", moneyWords.renewals, ({ renewals }) => renewals)}
      {rate("Churn", moneyWords.churn, ({ renewals }) => ({ due: renewals.due, paid: renewals.due - renewals.paid }))}
      {rate("Refunded payments", moneyWords.refunded, ({ refunded }) => refunded)}
    </div>
  );
}

function More({ counts, onFailed }: { readonly counts: Counts; readonly onFailed: () => void }) {
  const failed = inWords.count(counts.failed.due);
  const rows = [
    [
      "Charges that failed",
      counts.failed.due === 0 ? (
        failed
      ) : (
        <button key="failed" type="button" className="link" onClick={onFailed} aria-label={`Charges that failed: ${failed}`}>
          {failed}
        </button>
      ),
      moneyWords.failed,
    ],
    ["of these paid since", inWords.count(counts.failed.paid), moneyWords.failed],
    ["Cancelled", inWords.count(counts.cancelled), moneyWords.cancelled],
  ] as const;
  return (
    <dl className={styles["more"]}>
      {rows.map(([name, value, definition]) => (
        <div key={name}>
          <dt className={styles["head"]}>
            {name} <Definition of={name}>{definition}</Definition>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
