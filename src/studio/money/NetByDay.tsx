/** Net proceeds per day, as bars or as a table. */
import { minorUnitsOf } from "#core/formats.ts";
import { scaleBand, scaleLinear } from "d3-scale";
import type { Output } from "../client.ts";
import { inWords } from "../parts/formats.ts";
import { Money } from "../parts/Formats.tsx";
import { Table } from "../parts/Table.tsx";
import styles from "./money.module.css";

type Days = Output<"money">["days"];
const size = { width: 760, height: 172, left: 56, right: 8, top: 26, bottom: 24 } as const;
const ticks = 4;
const labels = 5;
const gap = 0.28;

export function NetByDay({ days, base, before }: { readonly days: Days; readonly base: string; readonly before: number }) {
  const unit = minorUnitsOf(base);
  const nets = days.map(({ sums }) => sums.net / unit);
  const usual = days.length === 0 ? 0 : before / unit / days.length;
  const x = scaleBand<string>()
    .domain(days.map(({ day }) => day))
    .range([size.left, size.width - size.right])
    .padding(gap);
  const y = scaleLinear()
    .domain([Math.min(0, ...nets), Math.max(1, usual, ...nets)])
    .nice(ticks)
    .range([size.height - size.bottom, size.top]);
  const every = Math.max(1, Math.ceil(days.length / labels));
  const format = (value: number) => inWords.count(value);
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} className={styles["chart"]} role="img" aria-label={`Net proceeds per day in ${base}`}>
      <text x={0} y={12}>
        {base}
      </text>
      {usual > 0 && (
        <text x={size.width - size.right} y={12} textAnchor="end">
          {days.length === 1 ? "The day" : `${days.length} days`} before: {format(usual)} a day
        </text>
      )}
      {y.ticks(ticks).map((tick) => (
        <g key={tick}>
          <line x1={size.left} x2={size.width - size.right} y1={y(tick)} y2={y(tick)} className={styles[tick === 0 ? "zero" : "line"]} />
          <text x={size.left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {days.map(({ day, sums }, index) => {
        const value = nets[index] ?? 0;
        return (
          <rect
            key={day}
            x={x(day)}
            width={x.bandwidth()}
            y={y(Math.max(0, value))}
            height={Math.abs(y(value) - y(0))}
            className={value < 0 ? styles["below"] : styles["bar"]}
          >
            <title>{`${inWords.dayAndYear(day)}: ${inWords.money(sums.net, base)}, ${inWords.count(sums.payments)} payments`}</title>
          </rect>
        );
      })}
      {usual > 0 && <line x1={size.left} x2={size.width - size.right} y1={y(usual)} y2={y(usual)} className={styles["usual"]} />}
      {days.map(({ day }, index) =>
        index % every === 0 || (index === days.length - 1 && index % every > every / 2) ? (
          <text key={day} x={(x(day) ?? 0) + x.bandwidth() / 2} y={size.height - 6} textAnchor="middle">
            {inWords.day(day)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

export function NetTable({ days, base }: { readonly days: Days; readonly base: string }) {
  const money = (minor: number) => <Money minor={minor} currency={base} />;
  return (
    <div className={styles["scrolls"]}>
      <Table
        label="Net proceeds per day"
        dense
        rows={days.toReversed()}
        keyOf={({ day }) => day}
        columns={[
          { key: "day", head: "Day", cell: ({ day }) => inWords.dayAndYear(day), by: ({ day }) => day },
          {
            key: "payments",
            head: "Payments",
            end: true,
            cell: ({ sums }) => inWords.count(sums.payments),
            by: ({ sums }) => sums.payments,
          },
          { key: "gross", head: "Gross", end: true, cell: ({ sums }) => money(sums.gross), by: ({ sums }) => sums.gross },
          { key: "refunds", head: "Refunds", end: true, cell: ({ sums }) => money(sums.refunds), by: ({ sums }) => sums.refunds },
          {
            key: "net",
            head: "Net",
            end: true,
            cell: ({ sums }) => <span className="strong">{money(sums.net)}</span>,
            by: ({ sums }) => sums.net,
          },
        ]}
      />
    </div>
  );
}
