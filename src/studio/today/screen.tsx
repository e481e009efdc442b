/** Today: visitors on site, money and the funnel compared with a usual day at this hour, and problems that need a person. */
import { createLazyRoute, Link, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { type Output, useCall, useLive } from "../client.ts";
import { numbers } from "../contract/numbers.ts";
import { inWords } from "../parts/formats.ts";
import { Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Definition, Figure, Status, Tag } from "../parts/Signs.tsx";
import { Failed, Loading } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { useListKeys } from "../shell/keys.ts";
import { usePhone } from "../shell/phone.ts";
import { FunnelToday, medianInWords } from "./FunnelToday.tsx";
import { Proceeds } from "./Proceeds.tsx";
import styles from "./today.module.css";
import { usualOf } from "./usual.ts";

export const Route = createLazyRoute("/")({ component: Today });

type Day = Output<"today">;

function Today() {
  const { data: first, error, refetch, dataUpdatedAt } = useCall("today", {});
  const { data: latest, live } = useLive("todayLive", {});
  const phone = usePhone();
  const data = latest !== null && latest.countedAt >= (first?.countedAt ?? 0) ? latest : first;
  return (
    <>
      <PageHead
        title="Today"
        beside={latest !== null && <Status tone={live ? "good" : "care"}>{live ? "Live" : "Not live: the connection is lost"}</Status>}
        says={data === undefined ? "Since midnight UTC" : saysOf(data)}
      />
      {error !== null && <Failed error={error} onRetry={() => void refetch()} since={dataUpdatedAt} />}
      {data === undefined && error === null && <Loading rows={6} />}
      {data !== undefined && phone && <Attention attention={data.attention} countedAt={data.countedAt} />}
      {data !== undefined && (
        <Split columns="minmax(0, 1fr) 344px">
          <Column>
            <div className={styles["cells"]}>
              <OnSite onSite={data.onSite} />
              <Proceeds proceeds={data.proceeds} countedAt={data.countedAt} />
              <Sales sales={data.sales} />
            </div>
            <FunnelToday funnel={data.funnel} countedAt={data.countedAt} />
            <Section title="By version" says="visitors who started today">
              <Versions versions={data.versions} />
            </Section>
          </Column>
          <Column side>
            {!phone && <Attention attention={data.attention} countedAt={data.countedAt} />}
            <LastRollouts rollouts={data.rollouts} />
          </Column>
        </Split>
      )}
    </>
  );
}

function saysOf({ countedAt, funnel }: Day): string {
  const weeks = funnel[0]?.usual.length ?? 0;
  const weekday = inWords.weekday(countedAt);
  const compared =
    weeks === 0
      ? "There is no comparison in the first week."
      : weeks === 1
        ? `“Usual” is last ${weekday} at this hour.`
        : `“Usual” is the median of the last ${weeks} ${weekday}s at this hour; its range holds 8 in 10 of them.`;
  return `${inWords.longDay(countedAt)}, until ${inWords.time(countedAt)} UTC. ${compared}`;
}

function OnSite({ onSite }: Pick<Day, "onSite">) {
  const all = onSite.reduce((sum, { visitors }) => sum + visitors, 0);
  const most = Math.max(1, ...onSite.map(({ visitors }) => visitors));
  return (
    <section className={styles["cell"]} aria-label="On site now">
      <Figure
        label={
          <>
            Now on site <Definition of="on site now">{numbers.onSite}</Definition>
          </>
        }
        value={inWords.count(all)}
        says="Visitors active in the last 5 minutes"
        large
      />
      <ul className={styles["locales"]}>
        {onSite.map(({ locale, visitors }) => (
          <li key={locale ?? "-"}>
            <span>{locale ?? "unknown"}</span>
            <span className={styles["share"]} style={{ width: `${(100 * visitors) / most}%` }} aria-hidden="true" />
            <span>{inWords.count(visitors)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const saleNames: Readonly<Record<Day["sales"][number]["sale"], string>> = {
  trials: "Trials begun",
  bought: "Bought at once",
  converted: "Trials now paid",
  renewed: "Renewals",
};

function Sales({ sales }: Pick<Day, "sales">) {
  const isNew = ({ sale }: Day["sales"][number]) => sale === "trials" || sale === "bought";
  const days = sales.filter(isNew).map(({ usual }) => usual);
  const usual = usualOf((days[0] ?? []).map((_, day) => days.reduce((sum, each) => sum + (each[day] ?? 0), 0)));
  return (
    <section className={styles["cell"]} aria-label="Trials and purchases">
      <Figure
        label={
          <>
            Trials and purchases <Definition of="trials and purchases">{numbers.salesToday}</Definition>
          </>
        }
        value={inWords.count(sales.filter(isNew).reduce((sum, { now }) => sum + now, 0))}
        says={
          usual === null
            ? undefined
            : `Usual ${medianInWords(usual)}, range ${inWords.count(Math.floor(usual.low))}–${inWords.count(Math.ceil(usual.high))}`
        }
        large
      />
      <dl className={styles["sales"]}>
        {sales.map(({ sale, now }) => (
          <div key={sale}>
            <dt>{saleNames[sale]}</dt>
            <dd>{inWords.count(now)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Versions({ versions }: Pick<Day, "versions">) {
  const navigate = useNavigate();
  if (versions.length === 0) return <p className="quiet">Nobody has started today.</p>;
  return (
    <Table
      label="Versions today"
      dense
      keys
      onChoose={({ version }) => void navigate({ to: "/funnel", search: { version } })}
      rows={versions}
      keyOf={({ version }) => version}
      columns={[
        {
          key: "version",
          head: "Version",
          cell: ({ version }) => (
            <Link to="/funnel" search={{ version }} className="link">
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

function Attention({ attention, countedAt }: Pick<Day, "attention" | "countedAt">) {
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  return (
    <Section title="Needs a person" says={attention.length > 0 && <Tag tone="bad">{inWords.count(attention.length)}</Tag>}>
      {attention.length === 0 ? (
        <Status tone="good">Nothing waits for anybody</Status>
      ) : (
        <ul className={styles["items"]} ref={list} data-keys="first">
          {attention.map(({ title, says, since, path }) => (
            <li key={title}>
              <p className="strong">{title}</p>
              <p className="quiet small">{says}</p>
              <p className="row wrap">
                <Link to={path} className={styles["act"]} data-row="">
                  {path === "/money" ? "See Money" : "See Operations"}
                </Link>
                {since !== null && <span className="quiet small">for {inWords.lasting(Math.max(0, countedAt - since))}</span>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function LastRollouts({ rollouts }: Pick<Day, "rollouts">) {
  return (
    <Section
      title="Last changes of weights"
      actions={
        <Link to="/versions" className="link strong">
          All versions
        </Link>
      }
    >
      <ul className={styles["items"]}>
        {rollouts.map(({ locale, weights, by, reason, at }) => (
          <li key={`${locale} ${at}`}>
            <p className="row">
              <span>
                <b>{locale}</b> {weightsInWords(weights)}
              </span>
              <span className="quiet small push">{inWords.moment(at)}</span>
            </p>
            <p className="quiet small">{by === null ? reason : `${reason} · ${by}`}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function weightsInWords(weights: Day["rollouts"][number]["weights"]): string {
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(weights)
    .filter(([, weight]) => weight > 0)
    .map(([version, weight]) => `${version} at ${inWords.share(weight / all, 0)}`)
    .join(", ");
}
