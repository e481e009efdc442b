/** Past and present alarms: what went wrong, from when to when, and what was done about it. */
import { useRef, useState } from "react";
import { type Output, useAction } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog } from "../parts/Dialog.tsx";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Status } from "../parts/Signs.tsx";
import { Empty } from "../parts/State.tsx";
import { useListKeys } from "../shell/keys.ts";
import { useMay } from "../shell/operator.ts";
import { DoneRow } from "./DoneRow.tsx";
import styles from "./operations.module.css";
import { ruleWords } from "./words.ts";

type Alert = Output<"alertSettings">["alerts"][number];

const shownAtFirst = 5;

export function AlertHistory({ alerts, now }: { readonly alerts: readonly Alert[]; readonly now: number }) {
  const [all, setAll] = useState(false);
  const [noting, setNoting] = useState<Alert | null>(null);
  const may = useMay("support");
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  if (alerts.length === 0) return <Empty title="No alarms yet" />;
  return (
    <>
      <ul className={styles["history"]} ref={list} data-keys="">
        {(all ? alerts : alerts.slice(0, shownAtFirst)).map((alert) => (
          <li key={alert.id}>
            <p className="row wrap">
              <span className="strong">{ruleWords[alert.rule]}</span>
              <Status tone={alert.endedAt === null ? "bad" : "none"}>{alert.endedAt === null ? "Still so" : "Over"}</Status>
              {may && (
                <span className="push">
                  <Button
                    small
                    data-row=""
                    onClick={() => setNoting(alert)}
                    aria-label={`Note what was done about ${ruleWords[alert.rule]}`}
                  >
                    Note…
                  </Button>
                </span>
              )}
            </p>
            <p className="small">{alert.says}</p>
            <Times alert={alert} now={now} />
            <Done alert={alert} />
          </li>
        ))}
      </ul>
      {!all && alerts.length > shownAtFirst && (
        <div className="row">
          <Button small onClick={() => setAll(true)}>
            Show all {inWords.count(alerts.length)}
          </Button>
        </div>
      )}
      {noting !== null && <NoteDialog alert={noting} onClose={() => setNoting(null)} />}
    </>
  );
}

function Times({ alert: { beganAt, endedAt }, now }: { readonly alert: Alert; readonly now: number }) {
  return (
    <dl className={styles["times"]}>
      <div>
        <dt>Began</dt>
        <dd>
          <When at={beganAt} />
        </dd>
      </div>
      <div>
        <dt>Ended</dt>
        <dd>{endedAt === null ? "not yet" : <When at={endedAt} />}</dd>
      </div>
      <div>
        <dt>{endedAt === null ? "Lasts for" : "Lasted"}</dt>
        <dd>{inWords.lasting(Math.max(0, (endedAt ?? now) - beganAt))}</dd>
      </div>
    </dl>
  );
}

const actionWords: Readonly<Record<string, string>> = {
  "alert seen": "saw it",
  "alert noted": "noted",
  "alert rule set": "set the rule",
  "tried again": "tried an entry again",
  "weights set": "set weights",
  "provider's state taken": "took the provider’s state",
  "compared with the provider": "compared with the provider",
};

function Done({ alert: { done, endedAt } }: { readonly alert: Alert }) {
  if (done.length === 0)
    return (
      <p className="quiet small">{endedAt === null ? "Nobody has done anything about it yet." : "It ended without anybody’s doing."}</p>
    );
  return (
    <ul className={styles["did"]} aria-label="What was done about it">
      {done.map(({ at, operator, action, reason }, index) => (
        <DoneRow key={`${at} ${index}`} at={at}>
          {operator} {actionWords[action] ?? action}
          {reason !== null && <>: “{reason}”</>}
        </DoneRow>
      ))}
    </ul>
  );
}

function NoteDialog({ alert, onClose }: { readonly alert: Alert; readonly onClose: () => void }) {
  const note = useAction("alertSeen", { onDone: onClose });
  return (
    <ConfirmDialog
      title={`What was done about “${ruleWords[alert.rule]}”?`}
      consequences={["Everybody who may see Operations reads it beside this alarm.", "It is kept in the audit."]}
      verb="Note"
      keep="Cancel"
      danger={false}
      label="What was done"
      busy={note.isPending}
      problem={note.error?.message ?? null}
      onDo={(text) => note.mutate({ id: alert.id, note: text })}
      onClose={onClose}
    />
  );
}
