import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { useRef } from "react";
import { type Output, useAction, useCall } from "../client.ts";
import type { Box } from "../contract/operations.ts";
import { Button } from "../parts/Button.tsx";
import { inWords } from "../parts/formats.ts";
import { Lasting, When } from "../parts/Formats.tsx";
import { Chapters, Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Notice, Status, Tag } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { ToPerson } from "../parts/ToPerson.tsx";
import { useListKeys } from "../shell/keys.ts";
import { useMay } from "../shell/operator.ts";
import { usePhone } from "../shell/phone.ts";
import { Alerts } from "./Alerts.tsx";
import { DoneRow } from "./DoneRow.tsx";
import { Errors } from "./Errors.tsx";
import styles from "./operations.module.css";
import { Outbox } from "./Outbox.tsx";
import type { OperationsSearch } from "./search.ts";
import { boxWords, partTones, partWords, ruleWords } from "./words.ts";

export const Route = createLazyRoute("/operations")({ component: Operations });

type Found = Output<"operations">;
type Alert = Found["alerts"][number];
const lookEvery = 10_000;

/** A phone shows the sections below each other. */
const chapters = [
  ["health", "Health"],
  ["errors", "Errors"],
  ["limits", "Limits"],
  ["webhooks", "Webhooks"],
  ["outboxes", "Outboxes"],
  ["mails", "Mails"],
  ["processes", "Processes"],
  ["actions", "Actions"],
] as const;

function Operations() {
  const phone = usePhone();
  const search = Route.useSearch();
  const navigate = useNavigate();
  const operations = useCall("operations", {}, { every: lookEvery });
  const set = (change: Partial<OperationsSearch>) => void navigate({ to: "/operations", search: { ...search, ...change } });
  const found = operations.data;
  return (
    <>
      <PageHead
        title="Operations"
        beside={found && <Sum found={found} />}
        says={
          found === undefined ? (
            "Refreshed every 10 s."
          ) : (
            <>State at {inWords.time(found.at)} UTC, looked at every 10 s. Counts are of the last 24 hours unless said.</>
          )
        }
        actions={
          <>
            {found !== undefined && <span className="small quiet">Release {found.versions.code}</span>}
            <Button onClick={() => set({ alerts: "open" })}>
              <Bell size={14} aria-hidden="true" />
              Alarms
            </Button>
          </>
        }
      >
        {phone && <Chapters of={chapters} />}
      </PageHead>
      <Shown of={operations}>
        {(now) => (
          <Split columns="minmax(0, 1fr) 456px">
            <Column>
              <OpenAlerts alerts={now.alerts} />
              <Parts parts={now.parts} />
              <Errors chosen={search.cause} onChoose={(cause) => set({ cause })} />
              <Limits limits={now.limits} />
            </Column>
            <Column side>
              <Webhooks counts={now.webhooks} onOpen={() => set({ box: "webhooks", state: "failed" })} />
              <Boxes found={now} onOpen={(box, state) => set({ box, state })} />
              <Mails mails={now.mails} onOpen={() => set({ box: "mail" })} />
              <Processes found={now} />
              <Did actions={now.actions} />
            </Column>
          </Split>
        )}
      </Shown>
      {search.box !== undefined && <Outbox box={search.box} search={search} onChange={set} />}
      {search.alerts === "open" && <Alerts onClose={() => set({ alerts: undefined })} />}
    </>
  );
}

function Sum({ found }: { readonly found: Found }) {
  const wrong = found.parts.filter(({ state }) => state === "fails" || state === "slow");
  const failed = found.boxes.reduce((sum, box) => sum + box.failed, 0);
  const open = found.alerts.filter(({ endedAt }) => endedAt === null).length;
  if (wrong.length === 0 && failed === 0 && open === 0) return <Status tone="good">Works</Status>;
  const says = [
    ...wrong.map(({ name, state }) => `${name} ${partWords[state].toLowerCase()}`),
    ...(failed > 0 ? [`${inWords.count(failed)} given up`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? "alarm" : "alarms"}`] : []),
  ];
  return <Status tone={wrong.some(({ state }) => state === "fails") || open > 0 ? "bad" : "care"}>{says.join(", ")}</Status>;
}

function OpenAlerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const open = alerts.filter(({ endedAt }) => endedAt === null);
  const seen = useAction("alertSeen");
  const may = useMay("support");
  if (open.length === 0) return null;
  return (
    <Section anchor="alarms" title="Alarms" says="still active">
      <div className="stack">
        {open.map(({ id, rule, says, beganAt, seenBy }) => (
          <Notice key={id} tone="bad" title={ruleWords[rule]}>
            <p>{says}</p>
            <p className="row small">
              <span className="quiet">
                since <When at={beganAt} />
              </span>
              {seenBy !== null ? (
                <span className="push quiet">seen by {seenBy}</span>
              ) : (
                may && (
                  <span className="push">
                    <Button small busy={seen.isPending} onClick={() => seen.mutate({ id })}>
                      Seen
                    </Button>
                  </span>
                )
              )}
            </p>
          </Notice>
        ))}
      </div>
    </Section>
  );
}

function Parts({ parts }: { readonly parts: Found["parts"] }) {
  return (
    <Section anchor="health" title="Health of the parts">
      <Table
        label="Health of the parts"
        dense
        rows={parts}
        keyOf={({ name }) => name}
        columns={[
          { key: "name", head: "Part", cell: ({ name }) => <span className="strong">{name}</span> },
          { key: "state", head: "State", cell: ({ state }) => <Status tone={partTones[state]}>{partWords[state]}</Status> },
          { key: "says", head: "Says", cell: ({ says }) => <span className="quiet">{says}</span> },
          { key: "at", head: "Last answered", end: true, wideOnly: true, cell: ({ at }) => <When at={at} /> },
        ]}
      />
    </Section>
  );
}

function Limits({ limits }: { readonly limits: Found["limits"] }) {
  return (
    <Section anchor="limits" title="Limits that held someone back" says="last 24 hours">
      {limits.length === 0 ? (
        <Empty title="No limit was reached" />
      ) : (
        <Table
          label="Limits that held someone back"
          dense
          rows={limits}
          keyOf={({ rule }) => rule}
          columns={[
            { key: "rule", head: "Limit", cell: ({ rule }) => <span className="strong">{rule}</span> },
            {
              key: "says",
              head: "Allows",
              cell: ({ points, seconds }) => (
                <span className="quiet">
                  {inWords.count(points)} in <Lasting ms={seconds * 1_000} />
                </span>
              ),
            },
            { key: "refused", head: "Refused", end: true, cell: ({ refused }) => inWords.count(refused), by: ({ refused }) => refused },
            { key: "last", head: "Last", end: true, cell: ({ lastAt }) => <When at={lastAt} /> },
          ]}
        />
      )}
    </Section>
  );
}

function Webhooks({ counts, onOpen }: { readonly counts: Found["webhooks"]; readonly onOpen: () => void }) {
  return (
    <Section
      anchor="webhooks"
      title="Webhooks"
      says={`${inWords.count(counts.received)} received, ${inWords.count(counts.applied)} done`}
      actions={counts.failed > 0 && <Tag tone="bad">{inWords.count(counts.failed)} failed</Tag>}
    >
      {counts.failed > 0 ? (
        <Notice tone="bad" title={`${inWords.count(counts.failed)} of the last 24 hours could not be applied or read`}>
          <Button small onClick={onOpen}>
            Look at them
          </Button>
        </Notice>
      ) : (
        <p className="quiet small">What payment providers told is applied.</p>
      )}
    </Section>
  );
}

function Boxes({ found, onOpen }: { readonly found: Found; readonly onOpen: (box: Box, state: OperationsSearch["state"]) => void }) {
  return (
    <Section anchor="outboxes" title="Outboxes" says="waiting to leave">
      <Table
        label="Outboxes"
        dense
        keys
        rows={found.boxes}
        keyOf={({ box }) => box}
        onChoose={({ box, failed, waiting }) => onOpen(box, failed > 0 ? "failed" : waiting > 0 ? "waiting" : undefined)}
        columns={[
          { key: "box", head: "Box", cell: ({ box }) => <span className="strong">{boxWords[box]}</span> },
          { key: "waiting", head: "Wait", end: true, cell: ({ waiting }) => inWords.count(waiting) },
          {
            key: "oldest",
            head: "Oldest",
            end: true,
            cell: ({ oldestAt }) => <Lasting ms={oldestAt === null ? null : found.at - oldestAt} />,
          },
          {
            key: "state",
            head: "State",
            cell: ({ waiting, failed, tried }) =>
              failed > 0 ? (
                <Status tone="bad">{inWords.count(failed)} failed</Status>
              ) : tried > 0 ? (
                <Status tone="care">Tries again</Status>
              ) : waiting > 0 ? (
                <Status tone="good">Moves</Status>
              ) : (
                <Status tone="none">Empty</Status>
              ),
          },
        ]}
      />
    </Section>
  );
}

function Mails({ mails, onOpen }: { readonly mails: Found["mails"]; readonly onOpen: () => void }) {
  const figures = [
    ["queued", mails.queued, ""],
    ["handed over", mails.sent, ""],
    ["given up", mails.failed, mails.failed > 0 ? "bad" : ""],
    ["wait", mails.waiting, mails.waiting > 0 ? "care" : ""],
  ] as const;
  return (
    <Section
      anchor="mails"
      title="Mails"
      says="last 24 hours"
      actions={
        <Button small kind="plain" onClick={onOpen}>
          Look at them
        </Button>
      }
    >
      <dl className={styles["mails"]}>
        {figures.map(([words, value, tone]) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd className={tone}>{inWords.count(value)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Processes({ found }: { readonly found: Found }) {
  const { processes, versions } = found;
  return (
    <Section anchor="processes" title="Processes" says={`schema ${versions.schema.replace(/^\d+_/, "")}, content ${versions.content}`}>
      <Table
        label="Processes"
        dense
        rows={processes}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "state",
            head: "State",
            cell: ({ lives }) => <Status tone={lives ? "good" : "none"}>{lives ? "Serves" : "Ended"}</Status>,
          },
          {
            key: "code",
            head: "Release",
            cell: (row) => (
              <>
                {row.code}
                {row.content !== versions.content && <Tag tone="care">other content</Tag>}
                {row.schema !== versions.schema && <Tag tone="care">other schema</Tag>}
              </>
            ),
          },
          { key: "requests", head: "In 5 min", end: true, cell: ({ requests }) => inWords.count(requests) },
          { key: "p95", head: "p95", end: true, cell: ({ p95 }) => <Lasting ms={p95} /> },
          {
            key: "since",
            head: "For",
            end: true,
            cell: ({ startedAt, seenAt }) => <Lasting ms={seenAt - startedAt} />,
          },
        ]}
      />
    </Section>
  );
}

function Did({ actions }: { readonly actions: Found["actions"] }) {
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  return (
    <Section anchor="actions" title="Operators’ actions">
      {actions.length === 0 ? (
        <p className="quiet small">Nothing yet.</p>
      ) : (
        <ul className={styles["did"]} ref={list} data-keys="">
          {actions.map(({ at, operator, action, subject, person }, index) => (
            <DoneRow key={`${at} ${index}`} at={at}>
              {action}: <ToPerson person={person}>{subject}</ToPerson>. {operator}
            </DoneRow>
          ))}
        </ul>
      )}
    </Section>
  );
}
