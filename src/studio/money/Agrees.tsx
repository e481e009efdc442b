/** Result of the reconciliation with each provider, and the actions for differences. */
import { Check, RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { type Output, useAction, useCall } from "../client.ts";
import type { Difference } from "../contract/money.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog } from "../parts/Dialog.tsx";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Section } from "../parts/Panel.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./money.module.css";
import { kindWords, providerWords } from "./words.ts";

type Compared = Output<"reconciliation">[number];
type Provider = Compared["provider"];
const shown = 8;
const stateWords = { differs: "differs", "missing here": "missing here", "missing there": "not at the provider" } as const;

export function Agrees() {
  const compared = useCall("reconciliation", {});
  return (
    <Section title="Agrees with the provider?" says="compared each hour by id, amount and state">
      <Shown of={compared}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Not compared yet">The first comparison is made within an hour of the start.</Empty>
          ) : (
            <div className={styles["parts"]}>
              {all.map((each) => (
                <One key={each.provider} compared={each} />
              ))}
            </div>
          )
        }
      </Shown>
    </Section>
  );
}

function One({ compared }: { readonly compared: Compared }) {
  const { provider, agree, differences, prices, problem, at, since, gross } = compared;
  const again = useAction("reconcile");
  const may = useMay("support");
  const all = agree + differences.length;
  const isGood = problem === null && differences.length === 0 && prices.length === 0;
  const title =
    problem !== null
      ? `${providerWords[provider]} could not be asked`
      : `${inWords.count(agree)} of ${inWords.count(all)} agree${prices.length === 0 ? "" : `; ${prices.length} ${prices.length === 1 ? "price differs" : "prices differ"}`}`;
  return (
    <div className="stack">
      <Notice tone={isGood ? "good" : problem !== null ? "bad" : "care"} title={title}>
        <p className="small">
          {problem ?? `Payments, refunds and prices at ${providerWords[provider]} since ${inWords.day(since)}.`} <When at={at} />
        </p>
      </Notice>
      <ul className={styles["findings"]}>
        {differences.slice(0, shown).map((difference) => (
          <DifferenceRow key={difference.id} provider={provider} difference={difference} />
        ))}
        {differences.length > shown && <li className="quiet small">{differences.length - shown} more</li>}
        {prices.map((price) => (
          <li key={price}>
            <TriangleAlert size={16} aria-hidden="true" className="care" />
            <div>
              <p>{price}</p>
              <p className="quiet small">Set it right at the provider, or in the catalogue with the next release.</p>
            </div>
          </li>
        ))}
        {gross.length > 0 && (
          <li>
            <Check size={16} aria-hidden="true" className="good" />
            <span className="small">Gross here: {gross.map(({ currency, amount }) => inWords.money(amount, currency)).join(" · ")}</span>
          </li>
        )}
      </ul>
      {may && (
        <div className="row">
          <Button small busy={again.isPending} onClick={() => again.mutate({ provider })}>
            <RefreshCw size={14} aria-hidden="true" />
            Compare now
          </Button>
          {again.error !== null && <span className="bad small">{again.error.message}</span>}
        </div>
      )}
    </div>
  );
}

function DifferenceRow({ provider, difference }: { readonly provider: Provider; readonly difference: Difference }) {
  const { id, transactionId, kind, state, here, there, at } = difference;
  const [asking, setAsking] = useState(false);
  const take = useAction("reconcileTake", { onDone: () => setAsking(false) });
  const may = useMay("support");
  const sum = (amount: typeof here) => (amount === null ? "nothing" : inWords.money(amount.amount, amount.currency));
  return (
    <li>
      <TriangleAlert size={16} aria-hidden="true" className="care" />
      <div className="stack">
        <p>
          <span className="strong">{kindWords[kind]}</span> {stateWords[state]} <span className="quiet">{inWords.moment(at)}</span>
        </p>
        <p className="code">{id}</p>
        <p className="quiet small">
          {sum(here)} here, {sum(there)} there.
          {state === "missing there" && " Look for it in the provider's dashboard. The studio cannot delete entries from the books."}
        </p>
        {may && state !== "missing there" && (
          <div>
            <Button small onClick={() => setAsking(true)}>
              Take {sum(there)}
            </Button>
          </div>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={`Take what ${providerWords[provider]} says of this ${kindWords[kind].toLowerCase()}?`}
          consequences={[
            `${sum(here)} here becomes ${sum(there)}.`,
            "The buyer gets or loses access as if the provider's webhook had arrived, and gets the mail about it.",
          ]}
          verb="Take it"
          keep="Leave it"
          danger={false}
          busy={take.isPending}
          problem={take.error?.message ?? null}
          onDo={(reason) => take.mutate({ provider, transactionId, reason })}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
