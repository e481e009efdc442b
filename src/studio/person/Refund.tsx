import { useState } from "react";
import { useAction } from "../client.ts";
import type { PersonPage } from "../contract/people.ts";
import { ConfirmDialog } from "../parts/Dialog.tsx";
import { Select, TextField } from "../parts/Field.tsx";
import { inWords } from "../parts/formats.ts";
import styles from "./person.module.css";

/** Parses "53.70" into minor units; null when it is not an amount. */
function minorOf(typed: string, currency: string): number | null {
  const digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const value = Number(typed.replace(",", "."));
  const minor = Math.round(value * 10 ** digits);
  return typed.trim() === "" || !Number.isFinite(value) || minor < 1 ? null : minor;
}

const refusals: Readonly<Record<string, string>> = {
  "too much": "The rest of this payment is less than that. Check it again.",
  parts: "Paddle Classic allows one partial refund of a payment, and then only the whole rest.",
};

/** Refunds a payment, whole or in part, through its provider. */
export function Refund({ person, onClose }: { readonly person: PersonPage; readonly onClose: () => void }) {
  const { mutate, isPending, error } = useAction("paymentRefund", { onDone: onClose });
  const payments = person.payments.filter(({ left }) => left > 0);
  const [chosen, setChosen] = useState(payments[0]?.transaction ?? "");
  const [typed, setTyped] = useState("");
  const [endChosen, setEndChosen] = useState<boolean | null>(null);
  const [id] = useState(() => crypto.randomUUID());
  const payment = payments.find(({ transaction }) => transaction === chosen) ?? payments[0];
  if (payment === undefined) return null;
  const { left, currency, provider, subscription, transaction } = payment;
  const part = typed === "" ? left : minorOf(typed, currency);
  const wrong = part === null || part > left;
  const sum = inWords.money(wrong ? left : part, currency);
  const whole = part === left;
  // A buyer who gets a partial refund usually keeps the plan.
  const andEnd = endChosen ?? whole;
  const ends = andEnd && subscription !== null;
  return (
    <ConfirmDialog
      title={`Refund ${sum} to ${person.account.firstname ?? person.account.email}?`}
      consequences={[
        `${provider === "paddle" ? "Paddle Classic" : "Paddle"} refunds the card within 3 to 5 days after approving it`,
        whole ? "Access by this payment ends when it is refunded" : "Access stays: only a part is refunded",
        ends
          ? "The subscription ends: nothing more is charged"
          : subscription === null
            ? "Nothing renews"
            : "The subscription goes on and will be charged again",
        `${person.account.email} gets a mail about it`,
      ]}
      verb={`Refund ${sum}`}
      busy={isPending}
      problem={error === null ? null : (refusals[error.fields["amount"] ?? ""] ?? error.message)}
      onDo={(reason) => !wrong && mutate({ uuid: person.account.uuid, transaction, amount: whole ? null : part, id, andEnd: ends, reason })}
      onClose={onClose}
    >
      {payments.length > 1 && (
        <Select label="Payment" value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {payments.map((each) => (
            <option key={each.transaction} value={each.transaction}>
              {`${each.at === null ? "" : inWords.dayAndYear(each.at)} ${inWords.money(each.left, each.currency)}`}
            </option>
          ))}
        </Select>
      )}
      <TextField
        label={`Sum in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={inWords.money(left, currency)}
        hint="Leave empty to refund the whole rest."
        value={typed}
        {...(wrong ? { problem: `Enter an amount up to ${inWords.money(left, currency)}.` } : {})}
        onChange={({ target }) => setTyped(target.value)}
      />
      {subscription !== null && (
        <label className={styles["check"]}>
          <input type="checkbox" checked={andEnd} onChange={({ target }) => setEndChosen(target.checked)} />
          End the subscription too
        </label>
      )}
    </ConfirmDialog>
  );
}
