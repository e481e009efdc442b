/** The times that visitors spent on a screen, as a chart or as a table. */
import { scaleLinear } from "d3-scale";
import type { Output } from "../client.ts";
import { inWords } from "../parts/formats.ts";
import { Table } from "../parts/Table.tsx";
import styles from "./funnel.module.css";

type Bins = Output<"funnelScreen">["times"];
const [width, height, below] = [340, 92, 18];

/** "4–6 s" */
const nameOf = (times: Bins, place: number) => {
  const from = place === 0 ? 0 : (times[place - 1]?.upTo ?? 0);
  const upTo = times[place]?.upTo ?? null;
  return upTo === null ? `over ${inWords.lasting(from * 1_000)}` : `${from}–${upTo} s`;
};

export function TimesChart({ times, medianSeconds }: { readonly times: Bins; readonly medianSeconds: number }) {
  const most = Math.max(1, ...times.map(({ visitors }) => visitors));
  const tall = scaleLinear([0, most], [0, height - 16]);
  const wide = width / times.length;
  const at = times.findIndex(({ upTo }) => upTo === null || medianSeconds < upTo);
  return (
    <svg
      className={styles["chart"]}
      viewBox={`0 0 ${width} ${height + below}`}
      role="img"
      aria-label={`Median ${inWords.lasting(medianSeconds * 1_000)}`}
    >
      <line x1={0} x2={width} y1={height} y2={height} />
      {times.map(({ visitors }, place) => (
        <rect key={nameOf(times, place)} x={place * wide + 1} width={wide - 2} y={height - tall(visitors)} height={tall(visitors)}>
          <title>{`${nameOf(times, place)}: ${inWords.count(visitors)}`}</title>
        </rect>
      ))}
      <line data-median x1={(at + 0.5) * wide} x2={(at + 0.5) * wide} y1={0} y2={height} />
      <text x={(at + 0.5) * wide + 4} y={10}>{`median ${inWords.lasting(medianSeconds * 1_000)}`}</text>
      {[0, 4, 8, 11].map((place) => (
        <text key={place} x={place * wide} y={height + 14}>
          {place === 0 ? "0 s" : `${times[place - 1]?.upTo ?? ""} s`}
        </text>
      ))}
    </svg>
  );
}

export function TimesTable({ times }: { readonly times: Bins }) {
  const rows = times.map(({ visitors }, place) => ({ name: nameOf(times, place), visitors }));
  return (
    <Table
      label="Time on the screen"
      dense
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { key: "time", head: "Time", cell: ({ name }) => name },
        { key: "visitors", head: "Visitors", end: true, cell: ({ visitors }) => inWords.count(visitors) },
      ]}
    />
  );
}
