/** The operator's own sessions and passkeys. */
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call, type Output, StudioError, useAction, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { TextField } from "../parts/Field.tsx";
import { When } from "../parts/Formats.tsx";
import { Column, Section, Split } from "../parts/Panel.tsx";
import { Notice, Tag } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { requireSignIn } from "../shell/freshSession.ts";
import { passkeyProblem } from "../shell/SignIn.tsx";
import styles from "./settings.module.css";

const ways: Readonly<Record<string, string>> = { passkey: "Passkey", link: "Mailed link", company: "Company sign-in" };

export function MyAccess() {
  const access = useCall("myAccess", {});
  const [adding, setAdding] = useState(false);
  return (
    <Split columns="minmax(0, 1fr) minmax(0, 1fr)">
      <Column>
        <Section
          title="Passkeys"
          says="sign you in with a finger, a face or this device’s PIN"
          actions={
            <Button small onClick={() => setAdding(true)}>
              <KeyRound size={14} aria-hidden="true" />
              Add a passkey
            </Button>
          }
        >
          <Shown of={access}>{({ passkeys }) => <Passkeys passkeys={passkeys} />}</Shown>
        </Section>
      </Column>
      <Column>
        <Section title="Sessions" says="browsers that are signed in as you">
          <Shown of={access}>{({ sessions }) => <Sessions sessions={sessions} />}</Shown>
        </Section>
      </Column>
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
    </Split>
  );
}

function Passkeys({ passkeys }: Pick<Output<"myAccess">, "passkeys">) {
  const remove = useAction("passkeyRemove");
  if (passkeys.length === 0)
    return <Empty title="You have no passkey yet">Until you add one, you sign in by a link that we mail you.</Empty>;
  return (
    <Table
      label="Passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { key: "name", head: "Passkey", cell: ({ name }) => <span className="strong">{name}</span> },
        { key: "created", head: "Added", wideOnly: true, cell: ({ createdAt }) => <When at={createdAt} day /> },
        { key: "used", head: "Last used", cell: ({ usedAt }) => <When at={usedAt} /> },
        {
          key: "remove",
          head: <span className="heard">Remove</span>,
          end: true,
          cell: ({ id, name }) => (
            <Button small kind="danger" aria-label={`Remove ${name}`} busy={remove.isPending} onClick={() => remove.mutate({ id })}>
              Remove
            </Button>
          ),
        },
      ]}
    />
  );
}

function Sessions({ sessions }: Pick<Output<"myAccess">, "sessions">) {
  const end = useAction("mySessionEnd");
  return (
    <Table
      label="Sessions"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "browser",
          head: "Browser",
          cell: ({ browser, network, isThis }) => (
            <>
              <span className="row">
                <span className="strong">{browser}</span>
                {isThis && <Tag tone="run">this one</Tag>}
              </span>
              <span className="tiny quiet">{network}</span>
            </>
          ),
        },
        { key: "way", head: "Signed in by", wideOnly: true, cell: ({ enteredBy }) => ways[enteredBy] ?? enteredBy },
        { key: "since", head: "Since", wideOnly: true, cell: ({ startedAt }) => <When at={startedAt} /> },
        { key: "seen", head: "Last seen", cell: ({ seenAt }) => <When at={seenAt} /> },
        {
          key: "end",
          head: <span className="heard">End</span>,
          end: true,
          cell: ({ id, isThis, browser }) =>
            !isThis && (
              <Button
                small
                kind="danger"
                aria-label={`End the session of ${browser}`}
                busy={end.isPending}
                onClick={() => end.mutate({ id })}
              >
                End
              </Button>
            ),
        },
      ]}
    />
  );
}

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("This device");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = useAction("passkeyAdd", { onDone: onClose });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const { challenge, options } = await call("passkeyOffered", {});
      // The server's library has created these options.
      const credential = await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
      await add.mutateAsync({ challenge, name, credential: { ...credential } });
    } catch (error) {
      if (error instanceof StudioError && error.stale) requireSignIn();
      else setProblem(passkeyProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form className={styles["form"]} onSubmit={(event) => void submit(event)}>
        <TextField
          label="Its name"
          hint="To recognise it later, for example “Work laptop”."
          required
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <div className="row">
          <Button type="submit" kind="main" busy={busy}>
            Add
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </div>
      </form>
    </Dialog>
  );
}
