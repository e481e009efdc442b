/** The visits behind a number, and the replay of one of them on the pages the visitor saw. */
import { createLazyRoute, Link, useCanGoBack, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type Output, useCall } from "../client.ts";
import { numbers } from "../contract/numbers.ts";
import { Button } from "../parts/Button.tsx";
import { inWords } from "../parts/formats.ts";
import { Column, Facts, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Definition, Id } from "../parts/Signs.tsx";
import { Empty, Failed, Loading } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { useKeys } from "../shell/keys.ts";
import { Picture } from "./Picture.tsx";
import { Scrubber } from "./Scrubber.tsx";
import { staysFor, staysOf, wordsOf } from "./stays.ts";
import { ownFilter, type VisitsSearch } from "./search.ts";
import styles from "./visits.module.css";

export const Route = createLazyRoute("/funnel/visits")({ component: Visits });

const notKnown = "not known";

function Visits() {
  const search = useSearch({ from: "/funnel/visits" });
  const { version, screen, visit } = search;
  if (version !== undefined && screen === undefined && visit !== undefined) return <One version={version} visit={visit} at={search.at} />;
  if (version === undefined || screen === undefined)
    return (
      <>
        <PageHead title="Visits" />
        <Empty title="No screen is chosen">
          Open a screen of the <Link to="/funnel">funnel</Link>, then the visits that ended there.
        </Empty>
      </>
    );
  return <Ended version={version} screen={screen} search={search} />;
}

/** Goes back to where the operator came from; a visit opened by its address goes to its funnel. Esc does the same. */
function useWayBack(version: string, filter: Omit<VisitsSearch, "visit" | "at"> = { version }): () => void {
  const navigate = useNavigate({ from: "/funnel/visits" });
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const back = () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: "/funnel", search: { ...filter, version } });
  };
  useKeys((key) => {
    if (key === "Escape") back();
    return key === "Escape";
  });
  return back;
}

/** One visit, opened from a person's page or an error. */
function One({ version, visit, at }: { readonly version: string; readonly visit: string; readonly at: string | undefined }) {
  const navigate = useNavigate({ from: "/funnel/visits" });
  const back = useWayBack(version);
  return (
    <>
      <PageHead
        title="A visit"
        beside={<span className="quiet">version {version}</span>}
        actions={
          <Button onClick={back} title="Back (Esc)">
            <ArrowLeft size={14} aria-hidden="true" /> Back
          </Button>
        }
      />
      <Watched
        version={version}
        visit={visit}
        at={at}
        onMove={(to) => void navigate({ search: (before) => ({ ...before, at: String(to) }), replace: true })}
      />
    </>
  );
}

interface EndedProps {
  readonly version: string;
  readonly screen: string;
  readonly search: VisitsSearch;
}

function Ended({ version, screen, search }: EndedProps) {
  const navigate = useNavigate({ from: "/funnel/visits" });
  const { visit, at, ...filter } = search;
  const { screen: _screen, ...asked } = ownFilter(filter);
  const { data, error, refetch } = useCall("funnelVisits", { ...asked, version, questionId: screen });
  const watched = visit ?? data?.visits[0]?.visit;
  useWayBack(version, filter);
  return (
    <>
      <PageHead
        title={`Ended on ${screen}`}
        beside={<span className="quiet">{data?.title}</span>}
        says={
          data !== undefined && (
            <>
              {inWords.count(data.left)} visitors left here, {inWords.count(data.allowed)} of them allowed statistics.{" "}
              {data.since !== null && <>Listed are visits that began since {inWords.moment(data.since)} UTC. </>}
              <Definition of="a visit">{numbers.watched}</Definition>
            </>
          )
        }
        actions={
          <Link className="link row" to="/funnel" search={filter} title="Back: Esc">
            <ArrowLeft size={14} aria-hidden="true" /> Funnel of {version}
          </Link>
        }
      />
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={10} />}
      {data !== undefined && watched === undefined && (
        <Empty title="No visit here can be watched">None of the filtered visitors who left here allowed statistics.</Empty>
      )}
      {data !== undefined && watched !== undefined && (
        <Split columns="270px minmax(0, 1fr)">
          <Column side>
            <List
              visits={data.visits}
              chosen={watched}
              onChoose={(chosen) => void navigate({ search: (before) => ({ ...before, visit: chosen, at: undefined }), replace: true })}
            />
          </Column>
          <Watched
            key={watched}
            version={version}
            visit={watched}
            at={at}
            onMove={(to) => void navigate({ search: (before) => ({ ...before, visit: watched, at: String(to) }), replace: true })}
          />
        </Split>
      )}
    </>
  );
}

interface ListProps {
  readonly visits: Output<"funnelVisits">["visits"];
  readonly chosen: string;
  readonly onChoose: (visit: string) => void;
}

function List({ visits, chosen, onChoose }: ListProps) {
  return (
    <div className={styles["list"]}>
      <Table
        label="Visits that ended here"
        rows={visits}
        keyOf={({ visit }) => visit}
        chosen={chosen}
        onChoose={({ visit }) => onChoose(visit)}
        keys
        dense
        groupOf={({ startedAt }) => inWords.day(startedAt)}
        columns={[
          { key: "time", head: "Began", cell: ({ startedAt }) => <b>{inWords.time(startedAt)}</b> },
          { key: "who", head: "Where", cell: ({ locale, platform }) => `${locale ?? notKnown}, ${platform ?? notKnown}` },
          { key: "took", head: "Took", end: true, cell: ({ startedAt, lastAt }) => inWords.lasting(lastAt - startedAt) },
        ]}
      />
    </div>
  );
}

interface WatchedProps {
  readonly version: string;
  readonly visit: string;
  /** Index of the screen; the last one by default. */
  readonly at: string | undefined;
  readonly onMove: (at: number) => void;
}

function Watched({ version, visit, at, onMove }: WatchedProps) {
  const { data, error, refetch } = useCall("funnelVisit", { version, visit });
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={8} />;
  const stays = staysOf(data);
  const place = Math.min(Math.max(Number(at ?? stays.length - 1), 0), stays.length - 1);
  const stay = stays[place];
  if (stay === undefined) return <Empty title="This visit has no screens" />;
  return (
    <div className={styles["watched"]}>
      <Column>
        <Section
          title={`Visit of ${inWords.moment(data.startedAt)}`}
          says="Their release’s page with their answers at that moment. Names are missing; prices and dates are today’s."
        >
          <div className={styles["stage"]}>
            <div>
              <p className="row">
                <Id on>{stay.questionId}</Id> <b>{stay.title}</b>
              </p>
              <p className="quiet small">
                {inWords.lasting(stay.from - data.startedAt)} into the visit, {staysFor(stay, place === stays.length - 1, data.left)}
              </p>
            </div>
            {stay.picture !== null && (
              <div className={styles["phone"]}>
                <Picture src={stay.picture} title={stay.title} />
              </div>
            )}
          </div>
          <Scrubber stays={stays} place={place} onMove={onMove} />
        </Section>
      </Column>
      <Column side>
        <Section title="Visitor">
          <Facts
            rows={[
              ["Device", data.platform ?? notKnown],
              ["Country, locale", `${data.country ?? notKnown}, ${data.locale ?? notKnown}`],
              ["Campaign", data.campaign ?? notKnown],
              ["Took", inWords.lasting(data.lastAt - data.startedAt)],
            ]}
          />
        </Section>
        <Section title={`Events on ${stay.questionId}`}>
          <ol className={styles["events"]}>
            {stay.events.map((event, index) => (
              <li key={index}>
                <span className="quiet">{inWords.lasting(event.at - stay.from)}</span>
                <span>{wordsOf(event)}</span>
              </li>
            ))}
          </ol>
        </Section>
      </Column>
    </div>
  );
}
