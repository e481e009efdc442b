/** The list of operators. An admin invites them, changes roles, ends sessions and removes them. */
import * as codes from "#core/errorCodes.ts";
import { UserPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type Output, useAction, useCall } from "../client.ts";
import { type Role, roles } from "../contract/call.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog, Dialog } from "../parts/Dialog.tsx";
import { Select, TextField } from "../parts/Field.tsx";
import { When } from "../parts/Formats.tsx";
import { Column, Facts, Panel, Section, Split } from "../parts/Panel.tsx";
import { Notice, Status } from "../parts/Signs.tsx";
import { Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { roleNames, useMe } from "../shell/operator.ts";
import styles from "./settings.module.css";

type One = Output<"operators">[number];

/** What each role may do in addition to the roles before it. */
const roleSays: Readonly<Record<Role, string>> = {
  viewer: "Sees numbers but no people.",
  support: "Sees people; resends mails, refunds, pauses, cancels, exports, erases.",
  editor: "Writes drafts of versions.",
  publisher: "Publishes, sets weights, runs experiments.",
  admin: "Manages operators; reads the audit.",
};

export function Operators() {
  const all = useCall("operators", {});
  const [chosen, setChosen] = useState<string | null>(null);
  const [inviting, setInviting] = useState(false);
  const one = all.data?.find(({ id }) => id === chosen);
  return (
    <Split columns={one === undefined ? "minmax(0, 1fr) 360px" : "minmax(0, 1fr) 400px"}>
      <Column>
        <Section
          title="Operators"
          actions={
            <Button small onClick={() => setInviting(true)}>
              <UserPlus size={14} aria-hidden="true" />
              Invite
            </Button>
          }
        >
          <Shown of={all}>{(rows) => <List rows={rows} chosen={chosen} onChoose={({ id }) => setChosen(id)} />}</Shown>
        </Section>
      </Column>
      {one === undefined ? (
        <Column side>
          <Section title="Roles" says="each includes those above it">
            <ul className={styles["roles"]}>
              {roles.map((role) => (
                <li key={role}>
                  <p className="strong">{roleNames[role]}</p>
                  <p className="quiet small">{roleSays[role]}</p>
                </li>
              ))}
            </ul>
          </Section>
        </Column>
      ) : (
        <Detail key={one.id} one={one} onClose={() => setChosen(null)} />
      )}
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Split>
  );
}

function List({
  rows,
  chosen,
  onChoose,
}: {
  readonly rows: readonly One[];
  readonly chosen: string | null;
  readonly onChoose: (one: One) => void;
}) {
  return (
    <Table
      label="Operators"
      keys
      rows={rows}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
      columns={[
        {
          key: "name",
          head: "Operator",
          by: ({ name }) => name,
          cell: ({ name, email }) => (
            <>
              <span className="strong">{name}</span>
              <br />
              <span className="tiny quiet">{email}</span>
            </>
          ),
        },
        { key: "role", head: "Role", by: ({ role }) => roles.indexOf(role), cell: ({ role }) => roleNames[role] },
        { key: "state", head: "State", cell: (one) => <State one={one} /> },
        { key: "passkeys", head: "Passkeys", end: true, wideOnly: true, by: ({ passkeys }) => passkeys, cell: ({ passkeys }) => passkeys },
        {
          key: "seen",
          head: "Last seen",
          end: true,
          wideOnly: true,
          by: ({ seenAt }) => seenAt,
          cell: ({ seenAt }) => <When at={seenAt} />,
        },
      ]}
    />
  );
}

function State({ one }: { readonly one: One }) {
  if (one.sessions > 0) return <Status tone="good">Signed in</Status>;
  if (one.seenAt === null && one.invitedUntil !== null) return <Status tone="care">Invited</Status>;
  return <Status tone="none">{one.seenAt === null ? "Never came" : "Away"}</Status>;
}

type Asking = "role" | "sessions" | "remove" | null;

function Detail({ one, onClose }: { readonly one: One; readonly onClose: () => void }) {
  const { operator } = useMe();
  const [asking, setAsking] = useState<Asking>(null);
  const isMe = operator.id === one.id;
  const again = useAction("operatorInvite");
  return (
    <Panel title={one.name} says={one.email} onClose={onClose}>
      <Section>
        <Facts
          rows={[
            ["Role", roleNames[one.role]],
            ["Since", <When key="since" at={one.createdAt} day />],
            ["Last seen", <When key="seen" at={one.seenAt} />],
            ["Sessions", one.sessions],
            ["Passkeys", one.passkeys],
            ...(one.invitedUntil === null ? [] : [["Invitation opens until", <When key="until" at={one.invitedUntil} />] as const]),
          ]}
        />
      </Section>
      <Section>
        {isMe ? (
          <p className="quiet small">Another admin changes your role or removes you.</p>
        ) : (
          <div className="row wrap">
            <Button onClick={() => setAsking("role")}>Change role</Button>
            <Button
              busy={again.isPending}
              onClick={() => again.mutate({ email: one.email, name: one.name, role: one.role })}
              title="Mails a new link; the earlier one stops working"
            >
              Mail a new link
            </Button>
            <Button disabled={one.sessions === 0} onClick={() => setAsking("sessions")}>
              End sessions
            </Button>
            <Button kind="danger" onClick={() => setAsking("remove")}>
              Remove
            </Button>
          </div>
        )}
        <p role="status" className="small">
          {again.isSuccess && "A new link is on its way."}
        </p>
        {again.error !== null && <Notice tone="bad">{again.error.message}</Notice>}
      </Section>
      {asking === "role" && <ChangeRole one={one} onClose={() => setAsking(null)} />}
      {asking === "sessions" && <EndSessions one={one} onClose={() => setAsking(null)} />}
      {asking === "remove" && <Remove one={one} onClose={() => setAsking(null)} onGone={onClose} />}
    </Panel>
  );
}

interface Asked {
  readonly one: One;
  readonly onClose: () => void;
}

function ChangeRole({ one, onClose }: Asked) {
  const [role, setRole] = useState<Role>(one.role);
  const change = useAction("operatorChange", { onDone: onClose });
  return (
    <ConfirmDialog
      title={`Change the role of ${one.name}?`}
      consequences={[roleSays[role], "It takes effect with their next click."]}
      verb={`Make ${roleNames[role]}`}
      danger={false}
      busy={change.isPending}
      problem={change.error?.message ?? null}
      onDo={(reason) => change.mutate({ id: one.id, role, reason })}
      onClose={onClose}
    >
      <Select label="Role" value={role} onChange={({ target }) => setRole(roles.find((each) => each === target.value) ?? one.role)}>
        {roles.map((each) => (
          <option key={each} value={each}>
            {roleNames[each]}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  );
}

function EndSessions({ one, onClose }: Asked) {
  const end = useAction("operatorSessionsEnd", { onDone: onClose });
  return (
    <ConfirmDialog
      title={`End all sessions of ${one.name}?`}
      consequences={["They are signed out everywhere, at once.", "They can sign in again with a passkey or a mailed link."]}
      verb="End sessions"
      busy={end.isPending}
      problem={end.error?.message ?? null}
      onDo={(reason) => end.mutate({ id: one.id, reason })}
      onClose={onClose}
    />
  );
}

function Remove({ one, onClose, onGone }: Asked & { readonly onGone: () => void }) {
  const remove = useAction("operatorRemove", { onDone: onGone });
  return (
    <ConfirmDialog
      title={`Remove ${one.name}?`}
      consequences={[
        "They are signed out everywhere, at once, and cannot come back.",
        "Their passkeys are deleted.",
        "Their actions stay in the audit.",
      ]}
      verb="Remove"
      busy={remove.isPending}
      problem={remove.error?.message ?? null}
      onDo={(reason) => remove.mutate({ id: one.id, reason })}
      onClose={onClose}
    />
  );
}

function Invite({ onClose }: { readonly onClose: () => void }) {
  const invite = useAction("operatorInvite", { onDone: onClose });
  const [role, setRole] = useState<Role>("viewer");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: String(form.get("email")), name: String(form.get("name")), role });
  };
  return (
    <Dialog title="Invite an operator" onClose={onClose}>
      <form className={styles["form"]} onSubmit={submit}>
        <TextField label="Name" name="name" required maxLength={80} />
        <TextField label="E-mail address" name="email" type="email" required hint="The link goes there. It works once, for 3 days." />
        <Select
          label="Role"
          value={role}
          hint={roleSays[role]}
          onChange={({ target }) => setRole(roles.find((each) => each === target.value) ?? "viewer")}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {roleNames[each]}
            </option>
          ))}
        </Select>
        {invite.error !== null && (
          <Notice tone="bad">
            {invite.error.code === codes.emailTaken
              ? "An operator with this address exists already, with another name or role."
              : invite.error.message}
          </Notice>
        )}
        <div className="row">
          <Button type="submit" kind="main" busy={invite.isPending}>
            Invite
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </div>
      </form>
    </Dialog>
  );
}
