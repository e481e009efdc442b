/** An outbox: its entries, the details of one, and its retry. */
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { type Output, useAction, useCall } from "../client.ts";
import type { Box } from "../contract/operations.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog, Dialog } from "../parts/Dialog.tsx";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Facts } from "../parts/Panel.tsx";
import { Refused } from "../parts/Refused.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Notice, Status } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { ToPerson } from "../parts/ToPerson.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./operations.module.css";
import { payloadRows } from "./payload.ts";
import type { OperationsSearch } from "./search.ts";
import { boxWords, stateTones, stateWords } from "./words.ts";

type Entry = Output<"outbox">["rows"][number];
type State = Entry["state"];

export function Outbox({
  box,
  search,
  onChange,
}: {
  readonly box: Box;
  readonly search: OperationsSearch;
  readonly onChange: (change: Partial<OperationsSearch>) => void;
}) {
  const { state, entry } = search;
  const may = useMay("support");
  const entries = useCall("outbox", { box, ...(state === undefined ? {} : { state }) }, { enabled: may });
  const close = () => onChange({ box: undefined, state: undefined, entry: undefined });
  const back = () => onChange({ entry: undefined });
  if (!may)
    return (
      <Dialog title={boxWords[box]} onClose={close}>
        <Refused needs="support">Entries name people.</Refused>
        <div className="row">
          <Button onClick={close}>Close</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog key={entry} title={boxWords[box]} wide={entry === undefined ? "table" : true} onClose={entry === undefined ? close : back}>
      {entry !== undefined ? (
        <Whole box={box} id={entry} onBack={back} onClose={close} />
      ) : (
        <>
          <div className="row wrap">
            <Segmented<State | "all">
              label="State"
              value={state ?? "all"}
              options={[["all", "All"], ...(["waiting", "failed", "done"] as const).map((each) => [each, stateWords[each]] as const)]}
              onChange={(next) => onChange({ state: next === "all" ? undefined : next })}
            />
            <span className="push">
              <Button small onClick={close}>
                Close
              </Button>
            </span>
          </div>
          <Shown of={entries}>
            {({ rows, more }) =>
              rows.length === 0 ? (
                <Empty title="No entries" />
              ) : (
                <div className={styles["scrolls"]}>
                  <Table
                    label={boxWords[box]}
                    dense
                    keys
                    rows={rows}
                    keyOf={({ id }) => id}
                    onChoose={({ id }) => onChange({ entry: id })}
                    columns={[
                      { key: "state", head: "State", cell: (row) => <Status tone={stateTones[row.state]}>{stateWords[row.state]}</Status> },
                      { key: "kind", head: "What", cell: (row) => <span className="strong">{row.title}</span> },
                      { key: "subject", head: "For", cell: (row) => <span className="small">{row.subject}</span> },
                      { key: "at", head: "Since", cell: (row) => <When at={row.at} /> },
                      { key: "attempts", head: "Tries", end: true, cell: (row) => row.attempts },
                      { key: "next", head: "Next try", cell: (row) => <When at={row.nextAt} /> },
                      { key: "error", head: "Says", cell: (row) => <span className="small quiet">{row.error}</span> },
                    ]}
                  />
                  {more && <p className="quiet small">The latest {rows.length} are shown.</p>}
                </div>
              )
            }
          </Shown>
        </>
      )}
    </Dialog>
  );
}

interface WholeProps {
  readonly box: Box;
  readonly id: string;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function Whole({ box, id, onBack, onClose }: WholeProps) {
  const whole = useCall("outboxEntry", { box, id });
  return (
    <Shown of={whole}>
      {(entry) => (
        <div className="stack">
          <Facts
            rows={[
              [
                "State",
                <Status key="State" tone={stateTones[entry.state]}>
                  {stateWords[entry.state]}
                </Status>,
              ],
              ["What", entry.title],
              [
                "For",
                <ToPerson key="For" person={entry.person}>
                  {entry.subject}
                </ToPerson>,
              ],
              ["Since", <When key="Since" at={entry.at} />],
              ["Tries", entry.attempts],
              ["Next try", <When key="Next try" at={entry.nextAt} />],
              ["Done", <When key="Done" at={entry.doneAt} />],
            ]}
          />
          {entry.error !== null && <Notice tone="bad">{entry.error}</Notice>}
          <Payload kind={entry.kind} content={entry.content} />
          <div className="row wrap">
            {entry.mayRetry && <Retry box={box} entry={entry} />}
            <Button onClick={onBack}>Back to the list</Button>
            <Button onClick={onClose}>Close</Button>
          </div>
          {entry.state === "waiting" && !entry.mayRetry && (
            <p className="quiet small">It is tried by itself within minutes, or is being tried now.</p>
          )}
        </div>
      )}
    </Shown>
  );
}

/** What was to be sent, in labelled rows. Secrets are masked. */
function Payload({ kind, content }: { readonly kind: string; readonly content: string }) {
  const { rows, more, isJson } = payloadRows(content);
  if (rows.length === 0) return null;
  return (
    <section className="stack" aria-label="What it contains">
      <h3>What it contains</h3>
      <Facts rows={rows.map(({ label, value }) => [label, value] as const)} />
      {more > 0 && <p className="quiet small">{inWords.counted(more, "more field")} in the JSON.</p>}
      {isJson && (
        <details className={styles["json"]}>
          <summary>
            As JSON, of the kind <span className="code">{kind}</span>
          </summary>
          {/* A scrolling element must be focusable for keyboards. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={styles["content"]} tabIndex={0} aria-label="JSON">
            {content}
          </pre>
        </details>
      )}
    </section>
  );
}

function Retry({ box, entry }: { readonly box: Box; readonly entry: Entry }) {
  const [asking, setAsking] = useState(false);
  const retry = useAction("outboxRetry", { onDone: () => setAsking(false) });
  return (
    <>
      <Button kind="main" onClick={() => setAsking(true)}>
        <RotateCw size={14} aria-hidden="true" />
        Try again
      </Button>
      {retry.data?.retried === false && <span className="care small">It was done, or is being tried already.</span>}
      {asking && (
        <ConfirmDialog
          title={`Try “${entry.title}” again?`}
          consequences={[
            box === "mail" ? `It goes to ${entry.subject}, once.` : "Steps that succeeded before are not repeated.",
            `It was added on ${inWords.moment(entry.at)} UTC and was tried ${inWords.counted(entry.attempts, "time")}.`,
          ]}
          verb="Try again"
          keep="Leave it"
          danger={false}
          busy={retry.isPending}
          problem={retry.error?.message ?? null}
          onDo={(reason) => retry.mutate({ box, id: entry.id, reason })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
