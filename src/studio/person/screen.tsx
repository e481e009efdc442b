import * as codes from "#core/errorCodes.ts";
import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../client.ts";
import { type Line, lineKinds, type PersonPage } from "../contract/people.ts";
import { inWords } from "../parts/formats.ts";
import { Chapters, Column, PageHead, Section, Split } from "../parts/Panel.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { PlanSign } from "../people/Plan.tsx";
import { useKeys } from "../shell/keys.ts";
import { Actions, nameOf, SendAgain } from "./Actions.tsx";
import { Lines } from "./Lines.tsx";
import { MailAsSent } from "./MailAsSent.tsx";
import { About, Entitlement, PlanFacts, Records } from "./Side.tsx";

export const Route = createLazyRoute("/people/$uuid")({ component: Person });

/** Refetch interval while a refund waits for its webhook, ms. */
const againMs = 5_000;
const kindWords = { payments: "Payments", mails: "Mails", visits: "Visits", account: "Account" } as const;

function Person() {
  const { uuid } = Route.useParams();
  const asked = useCall("person", { uuid }, { every: againMs });
  if (asked.error?.code === codes.notFound)
    return (
      <>
        <PageHead title="Person" />
        <Empty title="No such person">The account was erased, or the address of this page is wrong.</Empty>
      </>
    );
  return <Shown of={asked}>{(person) => <PersonShown key={uuid} person={person} />}</Shown>;
}

const chapters = [
  ["access", "Access"],
  ["plan", "Plan"],
  ["account", "Account"],
  ["learning", "Learning"],
  ["happened", "What happened"],
  ["actions", "Actions"],
  ["consent", "Consent"],
  ["sessions", "Sessions"],
  ["operators", "Done by operators"],
] as const;

function PersonShown({ person }: { readonly person: PersonPage }) {
  const { only, mail = "" } = Route.useSearch();
  const navigate = useNavigate({ from: "/people/$uuid" });
  const [again, setAgain] = useState<Line | null>(null);
  const { account, entitlement, lines } = person;
  const confirmed = account.confirmedAt === null ? "not confirmed" : `confirmed ${inWords.dayAndYear(account.confirmedAt)}`;
  const of = (kind: (typeof lineKinds)[number]) => lines.filter((line) => line.kind === kind);
  useKeys((key) => {
    if (key !== "Escape") return false;
    void navigate({ to: "/people" });
    return true;
  });
  return (
    <>
      <PageHead
        title={nameOf(person)}
        beside={<PlanSign status={entitlement.status} end={entitlement.end} />}
        says={`${account.email}, ${confirmed} · ${account.locale} · account of ${inWords.dayAndYear(account.createdAt)}`}
      >
        <Chapters of={chapters.filter(([anchor]) => anchor !== "plan" || person.plan !== null)} />
      </PageHead>
      <Split columns="280px minmax(0, 1fr) 320px">
        <Column side>
          <Entitlement entitlement={entitlement} obstacles={person.obstacles} />
          <PlanFacts plan={person.plan} />
          <About account={account} learning={person.learning} />
        </Column>
        <Column>
          <Section
            anchor="happened"
            title="What happened"
            actions={
              <Segmented
                label="Lines"
                value={only ?? "all"}
                options={[
                  ["all", `All ${lines.length}`],
                  ...lineKinds.map((kind) => [kind, `${kindWords[kind]} ${of(kind).length}`] as const),
                ]}
                onChange={(next) => void navigate({ search: next === "all" ? {} : { only: next }, replace: true })}
              />
            }
          >
            {person.payments.map(
              ({ transaction, asked }) =>
                asked !== null && (
                  <Notice
                    key={transaction}
                    tone={asked.givenUp ? "bad" : "care"}
                    title={asked.givenUp ? "A refund failed" : "A refund is under way"}
                  >
                    <p className="small">
                      {asked.error ?? `Requested at ${inWords.moment(asked.at)} UTC; the provider has not carried it out yet.`}
                    </p>
                  </Notice>
                ),
            )}
            <Lines
              lines={only === undefined ? lines : of(only)}
              onMail={(id) => void navigate({ search: (before) => ({ ...before, mail: id }) })}
              onAgain={setAgain}
            />
          </Section>
        </Column>
        <Column side>
          <Actions person={person} onErased={() => void navigate({ to: "/people" })} />
          <Records consents={person.consents} sessions={person.sessions} audit={person.audit} />
        </Column>
      </Split>
      {mail !== "" && (
        <MailAsSent uuid={account.uuid} mail={mail} onClose={() => void navigate({ search: only === undefined ? {} : { only } })} />
      )}
      {again !== null && <SendAgain person={person} line={again} onClose={() => setAgain(null)} />}
    </>
  );
}
