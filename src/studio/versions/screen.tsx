import { locales } from "#core/locales.ts";
import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { type Output, useCall } from "../client.ts";
import type { Version } from "../contract/versions.ts";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Id, Tag } from "../parts/Signs.tsx";
import { Shown } from "../parts/State.tsx";
import { type Column as TableColumn, Table } from "../parts/Table.tsx";
import { ProofStatus, ReleasePanel } from "./Release.tsx";
import { Rollouts } from "./Rollouts.tsx";
import type { VersionsSearch } from "./search.ts";
import { sharesOf } from "./weights.ts";

export const Route = createLazyRoute("/versions")({ component: Versions });

type Found = Output<"versions">;
/** Refetch interval while the checker proves versions, ms. */
const lookEvery = 3_000;

function Versions() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const set = (change: Partial<VersionsSearch>) => void navigate({ to: "/versions", search: { ...search, ...change } });
  const asked = useCall("versions", {}, { every: (found) => found?.versions.some(isBeingProved) === true && lookEvery });
  return (
    <>
      <PageHead title="Versions" says="A release never changes. Weights decide which version a new visitor gets." />
      <Shown of={asked} rows={12}>
        {(found) => {
          const one = found.versions.find(({ version }) => version === search.version);
          return (
            <Split columns="minmax(0, 1fr) 456px">
              <Column>
                <Section title="Releases" says={summaryOf(found)}>
                  <Table
                    label="Versions"
                    keys
                    rows={found.versions}
                    columns={columnsOf(found)}
                    keyOf={({ version }) => version}
                    chosen={one?.version ?? null}
                    onChoose={({ version }) => set({ version })}
                  />
                </Section>
              </Column>
              {one === undefined ? (
                <Column side>
                  <Rollouts found={found} />
                </Column>
              ) : (
                <ReleasePanel
                  key={one.version}
                  one={one}
                  all={found.versions}
                  locales={locales}
                  against={search.against ?? mostGiven(found, one)}
                  onAgainst={(against) => set({ against })}
                  onClose={() => set({ version: undefined, against: undefined })}
                />
              )}
            </Split>
          );
        }}
      </Shown>
    </>
  );
}

const isBeingProved = ({ release }: Version) => release !== null && release.proof === null;

function summaryOf({ versions, current }: Found): string {
  const given = new Set(current.flatMap(({ weights }) => sharesOf(weights).map(({ version }) => version)));
  return `${versions.length} versions, ${given.size} of them given to new visitors`;
}

/** The version that most locales give to new visitors, apart from this one. */
function mostGiven({ current }: Found, { version }: Version): string | undefined {
  const others = current.flatMap(({ weights }) => sharesOf(weights).map((each) => each.version)).filter((each) => each !== version);
  return others.toSorted((a, b) => countOf(others, b) - countOf(others, a))[0];
}
const countOf = (words: readonly string[], word: string) => words.filter((each) => each === word).length;

const columnsOf = ({ current }: Found): readonly TableColumn<Version>[] => [
  { key: "version", head: "Version", cell: ({ version }) => <Id>{version}</Id>, width: "76px" },
  {
    key: "tries",
    head: "What it tries",
    cell: ({ hypothesis, changes }) => (
      <>
        <span className="strong">{hypothesis}</span>
        <br />
        <span className="quiet small">{changes}</span>
      </>
    ),
  },
  { key: "given", head: "Given to", cell: (row) => <Given row={row} current={current} />, width: "150px" },
  {
    key: "screens",
    head: "Screens",
    end: true,
    wideOnly: true,
    by: ({ release }) => release?.screens ?? null,
    cell: ({ release }) => release?.screens ?? "",
    width: "84px",
  },
  {
    key: "proof",
    head: "Proof",
    cell: ({ release }) => (release === null ? <span className="quiet">On another site</span> : <ProofStatus release={release} />),
    width: "136px",
  },
  {
    key: "since",
    head: "Since",
    end: true,
    wideOnly: true,
    by: ({ release }) => release?.at ?? null,
    cell: ({ release }) => (release === null ? "" : <When at={release.at} day />),
    width: "96px",
  },
];

function Given({ row: { version, release }, current }: { readonly row: Version; readonly current: Found["current"] }) {
  const home = release?.embeddedIn ?? [];
  const given = current.flatMap(({ locale, weights }) =>
    sharesOf(weights).flatMap((each) => (each.version === version ? [`${locale} ${inWords.share(each.share, 0)}`] : [])),
  );
  if (given.length === 0 && home.length === 0) return <span className="quiet">nobody</span>;
  return (
    <span className="row wrap">
      {given.map((words) => (
        <Tag key={words}>{words}</Tag>
      ))}
      {home.length > 0 && <span className="quiet small">asks on the home page of {home.join(", ")}</span>}
    </span>
  );
}
