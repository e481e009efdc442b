/** A label and the page's main amount on one baseline. The amount has the page's largest type. */
import type { ReactNode } from "react";
import { characters } from "./characters.ts";
import styles from "./AmountRow.module.css";

export function AmountRow({
  label,
  amount,
  unit,
}: {
  readonly label: ReactNode;
  readonly amount: string;
  /** A unit such as a currency code, in small type. */ readonly unit?: string | null | undefined;
}) {
  return (
    <p className={styles["row"]}>
      <span className={styles["label"]}>{label}</span>
      <b className={styles["amount"]} style={characters(amount)}>
        <span className={styles["figure"]}>{amount}</span>
        {unit && <small> {unit}</small>}
      </b>
    </p>
  );
}
