/** Where a version loses visitors: one row per screen, and a panel for the chosen one. */
import { createLazyRoute, useNavigate, useSearch } from "@tanstack/react-router";
import { useCall } from "../client.ts";
import { type Counted, type Step, traits } from "../contract/funnel.ts";
import { numbers } from "../contract/numbers.ts";
import { CsvButton } from "../parts/Csv.tsx";
import { DaysFilter, Filter, type FilterOption } from "../parts/Filter.tsx";
import { inWords } from "../parts/formats.ts";
import { Column, PageHead, Split } from "../parts/Panel.tsx";
import { Definition } from "../parts/Signs.tsx";
import { Empty, Failed, Loading } from "../parts/State.tsx";
import styles from "./funnel.module.css";
import { ScreenPanel } from "./ScreenPanel.tsx";
import { type FunnelSearch, ownFilter, sidesOf } from "./search.ts";
import { StepTable } from "./StepTable.tsx";
import { comparedPurchases, shareAt } from "./steps.ts";

export const Route = createLazyRoute("/funnel")({ component: Funnel });

function Funnel() {
  const search = useSearch({ from: "/funnel" });
  const { screen: _screen, ...filter } = ownFilter(search);
  const filters = useCall("funnelFilters", filter);
  const version = search.version ?? filters.data?.versions[0]?.version;
  if (filters.error !== null) return <Failed error={filters.error} onRetry={() => void filters.refetch()} />;
  if (filters.data === undefined) return <Loading rows={10} />;
  if (version === undefined)
    return (
      <>
        <PageHead title="Funnel" />
        <Empty title="No visitors yet">
          As soon as somebody opens a question, each screen is a row here. `npm run demo` shows it with invented visitors.
        </Empty>
      </>
    );
  return <Version version={version} search={search} filters={filters.data} />;
}

interface VersionProps {
  readonly version: string;
  readonly search: FunnelSearch;
  readonly filters: NonNullable<ReturnType<typeof useCall<"funnelFilters">>["data"]>;
}

function Version({ version, search, filters }: VersionProps) {
  const navigate = useNavigate({ from: "/funnel" });
  // The version stays when a filter changes.
  const change = (next: Partial<FunnelSearch>) => void navigate({ search: (before) => ({ ...before, version, ...next }), replace: true });
  const { screen, ...asked } = search;
  const sides = sidesOf(version, search, (release) =>
    releaseWords(filters.release.find(({ value }) => value === release) ?? { value: release }),
  );
  const { data, error, refetch } = useCall("funnelSteps", { ...asked, version });
  const hypothesis = filters.versions.find((one) => one.version === version)?.hypothesis;
  const chosen = screen === undefined ? null : Number(screen);
  return (
    <>
      <PageHead
        title={`Funnel of version ${version}`}
        says={data === undefined ? hypothesis : <Says here={data.here} beside={data.beside} name={sides.beside} />}
        actions={
          data !== undefined && (
            <>
              <span className="quiet small">
                Counted {inWords.time(data.countedAt)} UTC
                {data.here.changedDays > 0 && (
                  <>
                    , {data.here.changedDays === 1 ? "one day" : `${data.here.changedDays} days`} as of minutes ago{" "}
                    <Definition of="minutes ago">{numbers.changedDays}</Definition>
                  </>
                )}
              </span>
              <CsvButton name={`funnel-${version}`} rows={() => rowsOf(data.here, data.beside, sides.beside)} />
            </>
          )
        }
      >
        <Filters version={version} search={search} filters={filters} onChange={change} />
      </PageHead>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={12} />}
      {data !== undefined && data.here.visitors === 0 && (
        <Empty title="Nobody fits these filters">Remove filters or choose more days.</Empty>
      )}
      {data !== undefined && data.here.visitors > 0 && (
        <Split columns={chosen === null ? "1fr" : "minmax(0, 1fr) 410px"}>
          <Column>
            <div className={styles["steps"]}>
              <StepTable
                here={data.here}
                beside={data.beside}
                sides={sides}
                chosen={chosen}
                onChoose={(questionId) => change({ screen: String(questionId) })}
              />
            </div>
            <p className={`quiet tiny ${styles["foot"]}`}>
              {numbers.left} Red marks the two screens that lose the largest share. No shares under 30 visitors. Differences are coloured
              when their 95% interval leaves out zero.
            </p>
          </Column>
          {chosen !== null && (
            <ScreenPanel
              version={version}
              search={asked}
              step={data.here.steps.find(({ questionId }) => questionId === chosen) ?? null}
              questionId={chosen}
              onClose={() => change({ screen: undefined })}
            />
          )}
        </Split>
      )}
    </>
  );
}

function Says({ here, beside, name }: { readonly here: Counted; readonly beside: Counted | null; readonly name: string }) {
  const share = shareAt(here.purchases, here.visitors);
  const besideShare = beside === null ? null : shareAt(beside.purchases, beside.visitors);
  const compared = beside === null ? null : comparedPurchases(here, beside);
  const points = (value: number) => inWords.signed(100 * value);
  return (
    <>
      {inWords.count(here.visitors)} visitors started it, {inWords.count(here.began)} answered, {inWords.count(here.purchases)} bought
      {share !== null && ` (${inWords.share(share)})`}.
      {beside !== null &&
        ` Beside it ${beside.version === here.version ? name : `version ${name}`}: ${inWords.count(beside.purchases)} of ${inWords.count(beside.visitors)} bought${besideShare === null ? "" : ` (${inWords.share(besideShare)})`}.`}
      {compared !== null &&
        ` That is ${points(compared.difference.value)} points (95% interval: ${points(compared.difference.low)} to ${points(compared.difference.high)}): ${compared.certain ? "more than chance explains" : "chance alone can explain it"}.`}{" "}
      <Definition of="bought">{numbers.purchases}</Definition>
    </>
  );
}

function Filters({ version, search, filters, onChange }: VersionProps & { readonly onChange: (next: Partial<FunnelSearch>) => void }) {
  const versions = filters.versions.map((one) => ({
    value: one.version,
    words: `${one.version} ${one.hypothesis}`.slice(0, 60),
    hint: inWords.count(one.visitors),
  }));
  const besideReleases = optionsOf("release", filters, search.beside ?? version);
  return (
    <>
      <Filter
        label="Version"
        single
        options={versions}
        chosen={[version]}
        onChange={([next]) => onChange({ version: next, release: undefined, besideRelease: undefined, screen: undefined })}
      />
      <Filter
        label="Beside"
        single
        all="none"
        options={versions.filter(({ value }) => value !== version)}
        chosen={search.beside === undefined ? [] : [search.beside]}
        onChange={([next]) => onChange({ beside: next, besideRelease: undefined })}
      />
      <DaysFilter label="Started" from={search.from} to={search.to} onChange={(days) => onChange(days)} />
      <DaysFilter
        label="Beside, started"
        none="the same days"
        from={search.besideFrom}
        to={search.besideTo}
        onChange={({ from, to }) => onChange({ besideFrom: from, besideTo: to })}
      />
      {besideReleases.length > 1 && (
        <Filter
          label="Beside, release"
          single
          all={search.beside === undefined ? "the same" : "all"}
          options={besideReleases}
          chosen={search.besideRelease === undefined ? [] : [search.besideRelease]}
          onChange={([next]) => onChange({ besideRelease: next })}
        />
      )}
      {traits.map((trait) => (
        <Filter
          key={trait}
          label={traitNames[trait]}
          options={withChosen(optionsOf(trait, filters, version), search[trait]?.split(",") ?? [])}
          chosen={search[trait]?.split(",") ?? []}
          onChange={(chosen) => onChange({ [trait]: chosen.length === 0 ? undefined : chosen.join(",") })}
        />
      ))}
    </>
  );
}

const traitNames = {
  release: "Release",
  locale: "Locale",
  country: "Country",
  platform: "Device",
  campaign: "Campaign",
  came: "Visitors",
  consent: "Statistics",
} as const satisfies Record<(typeof traits)[number], string>;

interface ReleaseRow {
  readonly value: string;
  readonly number?: number | null;
  readonly at?: number | null;
}

function releaseWords({ value, number = null, at = null }: ReleaseRow): string {
  if (value === "-") return "not known";
  return number === null || at === null ? value : `Release ${number}, ${inWords.day(at)}`;
}

function optionsOf(trait: (typeof traits)[number], filters: VersionProps["filters"], version: string) {
  if (trait === "came")
    return [
      { value: "new", words: "new" },
      { value: "returning", words: "returning: began another version before" },
    ];
  if (trait === "consent")
    return [
      { value: "yes", words: "allowed" },
      { value: "no", words: "refused" },
      { value: "-", words: "not chosen" },
    ];
  if (trait === "release")
    return filters.release
      .filter((row) => row.version === null || row.version === version)
      .map((row) => ({ value: row.value, words: releaseWords(row), hint: inWords.count(row.visitors) }));
  return filters[trait].map(({ value, visitors }) => ({
    value,
    words: value === "-" ? "not known" : value,
    hint: inWords.count(visitors),
  }));
}

/** Keeps chosen values in the list of options, even when no visitor matches them. */
function withChosen(options: readonly FilterOption[], chosen: readonly string[]): readonly FilterOption[] {
  const missing = chosen.filter((value) => options.every((option) => option.value !== value));
  return [...options, ...missing.map((value) => ({ value, words: value === "-" ? "not known" : value, hint: inWords.count(0) }))];
}

const countsOf = (step: Step | undefined) => [step?.entered, step?.wentOn, step?.left, step?.stillThere, step?.medianSeconds];
const countNames = ["entered", "went on", "left", "still there", "median seconds"];

/** The table as CSV rows, with the compared version's columns if there is one. */
function rowsOf({ steps }: Counted, beside: Counted | null, name: string): readonly (readonly unknown[])[] {
  const other = (questionId: number) => beside?.steps.find((step) => step.questionId === questionId);
  return [
    ["screen", "title", ...countNames, ...(beside === null ? [] : countNames.map((count) => `${name}: ${count}`))],
    ...steps.map((step) => [step.questionId, step.title, ...countsOf(step), ...(beside === null ? [] : countsOf(other(step.questionId)))]),
  ];
}
