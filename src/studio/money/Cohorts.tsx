/** Retention by month of the first payment: the share of plans that still had a paid period n months later. */
import type { CSSProperties } from "react";
import { useCall } from "../client.ts";
import { moneyWords } from "../contract/money.ts";
import { CsvButton } from "../parts/Csv.tsx";
import { inWords } from "../parts/formats.ts";
import { Section } from "../parts/Panel.tsx";
import { Definition } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import styles from "./money.module.css";

const months = 6;
/** Shares are shown only of at least this number of plans; below it, their numbers. */
const fewestForShare = 5;
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" });
const monthWords = (month: string) => monthFormat.format(new Date(`${month}-01`));
const shade = (share: number): CSSProperties & Record<"--share", string> => ({ "--share": `${Math.round(share * 28)}%` });

export function Cohorts() {
  const cohorts = useCall("cohorts", { months: String(months) });
  return (
    <Section
      title="Still subscribed"
      says="% by months since the first payment"
      actions={
        <>
          <Definition of="Still subscribed">{moneyWords.cohorts}</Definition>
          <CsvButton
            small
            name="still-subscribed"
            rows={() => [
              ["month", "plans", "months since", "of", "paid"],
              ...(cohorts.data?.rows ?? []).flatMap(({ month, plans, cells }) =>
                cells.flatMap((cell, since) => (cell === null ? [] : [[month, plans, since, cell.of, cell.kept]])),
              ),
            ]}
          />
        </>
      }
    >
      <Shown of={cohorts}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="Nobody has paid for a plan in these months" />
          ) : (
            <table className={styles["cohorts"]}>
              <thead>
                <tr>
                  <th scope="col">First paid</th>
                  <th scope="col" className={styles["end"]}>
                    Plans
                  </th>
                  {Array.from({ length: months }, (_, since) => (
                    <th key={since} scope="col" className={styles["cell"]}>
                      {since}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ month, plans, cells }) => (
                  <tr key={month}>
                    <th scope="row">{monthWords(month)}</th>
                    <td className={styles["end"]}>{inWords.count(plans)}</td>
                    {cells.map((cell, since) => (
                      <td
                        key={since}
                        className={styles["cell"]}
                        {...(cell === null ? {} : { style: shade(cell.kept / cell.of), title: `${cell.kept} of ${cell.of}` })}
                      >
                        {cell === null
                          ? ""
                          : cell.of < fewestForShare
                            ? `${cell.kept}/${cell.of}`
                            : Math.round((100 * cell.kept) / cell.of)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
      <p className="quiet tiny">
        All plans that renew; trials before their first payment are left out. Below {fewestForShare} plans, counts are shown instead of
        shares.
      </p>
    </Section>
  );
}
