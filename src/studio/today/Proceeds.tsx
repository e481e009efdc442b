/** Net proceeds since midnight compared with a usual day, as lines or as a table. */
import { minorUnitsOf } from "#core/formats.ts";
import { scaleLinear } from "d3-scale";
import { useState } from "react";
import type { Output } from "../client.ts";
import { inWords } from "../parts/formats.ts";
import { Segmented } from "../parts/Segmented.tsx";
import { Definition } from "../parts/Signs.tsx";
import { Table } from "../parts/Table.tsx";
import { useWidth } from "../parts/useWidth.ts";
import { numbers } from "../contract/numbers.ts";
import styles from "./today.module.css";
import { type Usual, usualOf } from "./usual.ts";

type Today = Output<"today">;
interface Hour {
  readonly hour: number;
  readonly now: number;
  readonly usual: Usual | null;
}
const frame = { height: 132, left: 44, right: 52, top: 8, bottom: 20 } as const;
/** The chart's width until its place has been measured, px. */
const usualWidth = 420;
const ticks = 3;
const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

export function Proceeds({ proceeds, countedAt }: Pick<Today, "proceeds" | "countedAt">) {
  const [shown, show] = useState<"chart" | "table">("chart");
  const { currency, now } = proceeds;
  const hours = now.map((net, hour) => ({ hour: hour + 1, now: net, usual: usualOf(proceeds.usual.map((day) => day[hour] ?? 0)) }));
  const latest = hours.at(-1);
  const money = (minor: number) => inWords.wholeMoney(minor, currency);
  return (
    <section className={styles["cell"]} aria-label="Net proceeds">
      <div className={styles["cellHead"]}>
        <p className="quiet small strong">
          Net proceeds today, in {currency} <Definition of="net proceeds">{numbers.netToday}</Definition>
        </p>
        <Segmented
          label="Shown as"
          value={shown}
          onChange={show}
          options={[
            ["chart", "Chart"],
            ["table", "Table"],
          ]}
        />
      </div>
      <p className={styles["amount"]}>
        <b>{inWords.money(latest?.now ?? 0, currency)}</b>
        {latest?.usual != null && (
          <span className="quiet small">
            <span className="strong">Usual {money(latest.usual.median)}</span> · range {money(latest.usual.low)} to{" "}
            {money(latest.usual.high)}
          </span>
        )}
      </p>
      {shown === "chart" ? (
        <Chart hours={hours} currency={currency} until={(countedAt % dayMs) / hourMs} />
      ) : (
        <Hours hours={hours} currency={currency} />
      )}
      <p className="quiet tiny">{madeOf(proceeds)}</p>
    </section>
  );
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function madeOf({ payments, refunds, ratesDay, withoutRate, currency }: Today["proceeds"]): string {
  const things = (n: number, one: string, many: string) => `${inWords.count(n)} ${n === 1 ? one : many}`;
  return [
    `${things(payments, "payment", "payments")} and ${things(refunds, "refund", "refunds")}, less tax and fees.`,
    ratesDay === null ? "" : ` Rates of ${inWords.day(ratesDay)}.`,
    withoutRate.length === 0 ? "" : ` Without ${withoutRate.join(", ")}: no rate to ${currency} is known.`,
  ].join("");
}

/** Drawn at the width of its place, not scaled, so that its letters keep their size. @param until the last hour on the axis, counted from midnight */
function Chart({ hours, currency, until }: { readonly hours: readonly Hour[]; readonly currency: string; readonly until: number }) {
  const unit = minorUnitsOf(currency);
  const points = [{ hour: 0, now: 0, usual: hours[0]?.usual === null ? null : { median: 0, low: 0, high: 0 } }, ...hours].map((point) => ({
    ...point,
    hour: Math.min(point.hour, until),
  }));
  const all = points.flatMap(({ now, usual }) => [now, usual?.high ?? 0, usual?.low ?? 0]).map((minor) => minor / unit);
  const [place, width] = useWidth(usualWidth);
  const size = { ...frame, width };
  const x = scaleLinear([0, Math.max(until, 1)], [size.left, size.width - size.right]);
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [size.height - size.bottom, size.top]).nice(ticks);
  const at = (minor: number) => y(minor / unit);
  const usual = points.flatMap((point) => (point.usual === null ? [] : [{ hour: point.hour, ...point.usual }]));
  const to =
    <K extends string>(name: K) =>
    (point: { readonly hour: number } & Readonly<Record<K, number>>) =>
      `${x(point.hour)},${at(point[name])}`;
  const latest = points.at(-1);
  const every = Math.max(1, Math.ceil(until / 4));
  const [today, median] = labelPlaces(at(latest?.now ?? 0), at(usual.at(-1)?.median ?? 0));
  return (
    <svg
      ref={place}
      viewBox={`0 0 ${size.width} ${size.height}`}
      height={size.height}
      className={styles["chart"]}
      role="img"
      aria-label={`Net proceeds since midnight in ${currency}`}
    >
      {y.ticks(ticks).map((tick) => (
        <g key={tick}>
          <line x1={size.left} x2={size.width - size.right} y1={y(tick)} y2={y(tick)} className={styles["grid"]} />
          <text x={size.left - 8} y={y(tick) + 4} textAnchor="end">
            {inWords.count(tick)}
          </text>
        </g>
      ))}
      <polygon className={styles["range"]} points={[...usual.map(to("high")), ...usual.map(to("low")).toReversed()].join(" ")} />
      <polyline className={styles["usualLine"]} points={usual.map(to("median")).join(" ")} />
      <polyline className={styles["todayLine"]} points={points.map(to("now")).join(" ")} />
      <circle cx={x(until)} cy={at(latest?.now ?? 0)} r={4} className={styles["dot"]} />
      <text x={size.width - size.right + 8} y={today} className={styles["ownLabel"]}>
        today
      </text>
      {usual.length > 0 && (
        <text x={size.width - size.right + 8} y={median}>
          usual
        </text>
      )}
      {Array.from({ length: Math.floor(until / every) + 1 }, (_, index) => index * every).map((hour) => (
        <text key={hour} x={x(hour)} y={size.height - 4} textAnchor="middle">
          {clock(hour)}
        </text>
      ))}
    </svg>
  );
}

const labelHeight = 14;

/** Places each label beside the end of its line, without overlap. */
function labelPlaces(today: number, usual: number): readonly [today: number, usual: number] {
  const middle = (today + usual) / 2;
  if (Math.abs(today - usual) >= labelHeight) return [today + 4, usual + 4];
  const apart = today <= usual ? -labelHeight / 2 : labelHeight / 2;
  return [middle + apart + 4, middle - apart + 4];
}

function Hours({ hours, currency }: { readonly hours: readonly Hour[]; readonly currency: string }) {
  const money = (minor: number) => inWords.money(Math.round(minor), currency);
  return (
    <div className={styles["hours"]}>
      <Table
        label="Net proceeds since midnight"
        dense
        rows={hours.toReversed()}
        keyOf={({ hour }) => String(hour)}
        columns={[
          { key: "until", head: "Until", cell: ({ hour }) => (hour === hours.length ? "now" : clock(hour)) },
          { key: "today", head: "Today", end: true, cell: ({ now }) => <span className="strong">{money(now)}</span> },
          { key: "usual", head: "Usual", end: true, cell: ({ usual }) => (usual === null ? "–" : money(usual.median)) },
        ]}
      />
    </div>
  );
}
