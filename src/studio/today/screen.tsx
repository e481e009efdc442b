/** How today goes: who is on site, the funnel beside the usual day at this hour, and what needs a person. */
import { createLazyRoute, Link } from "@tanstack/react-router";
import { type Output, useCall, useLive } from "../client.ts";
import { numbers } from "../contract/numbers.ts";
import { inWords } from "../parts/formats.ts";
import { Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Definition, Figure, Status } from "../parts/Signs.tsx";
import { Failed, Loading } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import styles from "./today.module.css";

export const Route = createLazyRoute("/")({ component: Today });

type Day = Output<"today">;
const names = { visitors: "Visitors", began: "Answered", purchases: "Bought" } as const;

function Today() {
  const { data: first, error, refetch, dataUpdatedAt } = useCall("today", {});
  const { data: latest, live } = useLive("todayLive", {});
  const data = latest !== null && latest.countedAt >= (first?.countedAt ?? 0) ? latest : first;
  return (
    <>
      <PageHead
        title="Today"
        beside={latest !== null && <Status tone={live ? "good" : "care"}>{live ? "Live" : "Not live: the connection is lost"}</Status>}
        says={
          data === undefined
            ? "Since midnight UTC"
            : `${inWords.longDay(data.countedAt)}, last change at ${inWords.time(data.countedAt)} UTC.`
        }
      />
      {error !== null && <Failed error={error} onRetry={() => void refetch()} since={dataUpdatedAt} />}
      {data === undefined && error === null && <Loading rows={6} />}
      {data !== undefined && (
        <Split columns="minmax(0, 1fr) 360px">
          <Column>
            <Section title="The funnel so far" says={usualWords(data)}>
              <div className={styles["figures"]}>
                {data.figures.map((figure) => (
                  <UsualFigure key={figure.name} figure={figure} />
                ))}
              </div>
            </Section>
            <Section title="By version" says="visitors who started today">
              <Versions versions={data.versions} />
            </Section>
          </Column>
          <Column side>
            <OnSite onSite={data.onSite} />
            <Attention attention={data.attention} />
          </Column>
        </Split>
      )}
    </>
  );
}

function usualWords({ figures }: Day): string {
  const weeks = figures[0]?.usual.length ?? 0;
  return weeks === 0
    ? "nothing to compare with yet: the first week has not passed"
    : `beside the same weekday until this hour, ${weeks === 1 ? "one week ago" : `the last ${weeks} weeks`}`;
}

function UsualFigure({ figure: { name, now, usual } }: { readonly figure: Day["figures"][number] }) {
  const [low, high] = [Math.min(...usual), Math.max(...usual)];
  const says =
    usual.length === 0
      ? undefined
      : now < low
        ? `below the usual ${inWords.count(low)} to ${inWords.count(high)}`
        : now > high
          ? `above the usual ${inWords.count(low)} to ${inWords.count(high)}`
          : `usual: ${inWords.count(low)} to ${inWords.count(high)}`;
  const full = Math.max(1, now, high === Number.NEGATIVE_INFINITY ? 0 : high) * 1.1;
  const at = (count: number) => `${(100 * count) / full}%`;
  return (
    <div>
      <Figure
        label={
          <>
            {names[name]} <Definition of={names[name]}>{numbers[name]}</Definition>
          </>
        }
        value={inWords.count(now)}
        says={says}
        large
      />
      {usual.length > 0 && (
        <div className={styles["usual"]} aria-hidden="true">
          <span className={styles["band"]} style={{ insetInlineStart: at(low), width: at(Math.max(high - low, full / 100)) }} />
          <span className={now < low ? `${styles["now"]} ${styles["low"]}` : styles["now"]} style={{ insetInlineStart: at(now) }} />
        </div>
      )}
    </div>
  );
}

function Versions({ versions }: Pick<Day, "versions">) {
  if (versions.length === 0) return <p className="quiet">Nobody has started today.</p>;
  return (
    <Table
      label="Versions today"
      rows={versions}
      keyOf={({ version }) => version}
      columns={[
        {
          key: "version",
          head: "Version",
          cell: ({ version }) => (
            <Link to="/funnel" search={{ version }}>
              {version}
            </Link>
          ),
        },
        { key: "visitors", head: "Visitors", end: true, cell: ({ visitors }) => inWords.count(visitors) },
        { key: "bought", head: "Bought", end: true, cell: ({ purchases }) => inWords.count(purchases) },
      ]}
    />
  );
}

function OnSite({ onSite }: Pick<Day, "onSite">) {
  const all = onSite.reduce((sum, { visitors }) => sum + visitors, 0);
  return (
    <Section title="On site now" actions={<Definition of="on site now">{numbers.onSite}</Definition>}>
      <Figure label="Visitors" value={inWords.count(all)} large />
      {onSite.length > 0 && (
        <ul className={styles["list"]}>
          {onSite.map(({ locale, visitors }) => (
            <li key={locale ?? "-"}>
              <span>{locale ?? "not known"}</span>
              <b className="push">{inWords.count(visitors)}</b>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Attention({ attention }: Pick<Day, "attention">) {
  return (
    <Section title="Needs a person">
      {attention.length === 0 ? (
        <Status tone="good">Nothing waits for anybody</Status>
      ) : (
        <ul className={styles["list"]}>
          {attention.map(({ words, count, path }) => (
            <li key={words}>
              <b>{inWords.count(count)}</b>
              <Link to={path}>{words}</Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
