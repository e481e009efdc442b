import { createLazyRoute, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef } from "react";
import { useCall, type Output } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { TextField } from "../parts/Field.tsx";
import { When } from "../parts/Formats.tsx";
import { PageHead } from "../parts/Panel.tsx";
import { Id } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import styles from "./screen.module.css";
import { PlanSign } from "./Plan.tsx";

export const Route = createLazyRoute("/people")({ component: People });

type Row = Output<"people">["rows"][number];

/** An e-mail address that wraps before the domain, and inside it only when the domain is wider than the screen. */
function Address({ of }: { readonly of: string }) {
  const at = of.lastIndexOf("@");
  return (
    <>
      {of.slice(0, Math.max(at, 0))}
      <wbr />
      {of.slice(Math.max(at, 0))}
    </>
  );
}

const columns: readonly Column<Row>[] = [
  {
    key: "email",
    head: "Address",
    cell: ({ uuid, email, firstname }) => (
      <Link to="/people/$uuid" params={{ uuid }} className={styles["who"] ?? ""}>
        <span className="strong">{firstname ?? "No name"}</span>{" "}
        <span className="quiet">
          <Address of={email} />
        </span>
      </Link>
    ),
  },
  { key: "confirmed", head: "Confirmed", cell: ({ confirmed }) => (confirmed ? "yes" : <span className="care">no</span>), width: "90px" },
  { key: "plan", head: "Plan", cell: ({ plan }) => <PlanSign status={plan?.status ?? null} end={plan?.end ?? null} />, width: "250px" },
  {
    key: "version",
    head: "Version",
    cell: ({ version, finished, locale }) => (
      <>
        <Id>{version}</Id> <span className="quiet">{`${locale}${finished ? ", finished" : ""}`}</span>
      </>
    ),
    width: "170px",
  },
  { key: "created", head: "Signed up", cell: ({ createdAt }) => <When at={createdAt} day />, end: true, width: "120px" },
];

function People() {
  const { q = "", after = "" } = Route.useSearch();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const asked = useCall("people", { q, ...(after === "" ? {} : { after }) });
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate({ to: "/people", search: { q: field.current?.value.trim() ?? "" } });
    // Without focus in the field, J, K and Enter work on the results.
    field.current?.blur();
  };
  return (
    <>
      <PageHead title="People" says={q === "" ? "Accounts, the newest first." : `Results for “${q}”.`}>
        <form onSubmit={look} role="search" className={styles["search"] ?? ""}>
          <TextField
            key={q}
            ref={field}
            label="Find somebody"
            labelHidden
            type="search"
            defaultValue={q}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            placeholder="Address, first name, order, transaction or subscription"
          />
          <Button type="submit" kind="main">
            Find
          </Button>
        </form>
      </PageHead>
      <Shown of={asked} rows={10}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty
              title={q === "" ? "Nobody has signed up yet" : `No results for “${q}”`}
              {...(q === ""
                ? {}
                : { actions: <Button onClick={() => void navigate({ to: "/people", search: {} })}>Show everybody</Button> })}
            >
              {q === "" ? "Accounts appear here when visitors sign up." : "Type the start of an address or first name, or a complete id."}
            </Empty>
          ) : (
            <div className={styles["list"]}>
              <Table
                label="People"
                rows={rows}
                columns={columns}
                keyOf={({ uuid }) => uuid}
                keys
                onChoose={({ uuid }) => void navigate({ to: "/people/$uuid", params: { uuid } })}
              />
              <div className="row">
                {after !== "" && (
                  <Button small onClick={() => void navigate({ to: "/people", search: { q } })}>
                    To the newest
                  </Button>
                )}
                {next !== null && (
                  <Button small onClick={() => void navigate({ to: "/people", search: { q, after: next } })}>
                    Older
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </Shown>
    </>
  );
}
