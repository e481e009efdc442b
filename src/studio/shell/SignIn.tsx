/** Signing in: a passkey, or a link by mail. */
import * as codes from "#core/errorCodes.ts";
import { startAuthentication } from "@simplewebauthn/browser";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { Building2, KeyRound, Mail } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { call, StudioError, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { TextField } from "../parts/Field.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Brand } from "./Brand.tsx";
import styles from "./SignIn.module.css";

/** Session storage key of the OIDC state. */
export const companyKey = "parlando-studio-company";

/** Explains a passkey error to the operator, by the name of the browser's exception. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof StudioError)
    return error.code === codes.invalidLink ? "This passkey is unknown or was removed. Ask for a link by mail." : error.message;
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return "No passkey was chosen. Try again, or ask for a link by mail.";
  if (name === "InvalidStateError") return "This device already has a passkey for you.";
  return "This browser could not use a passkey. Ask for a link by mail.";
}

/** The page for visitors who are not signed in. */
export function SignIn({ onIn }: { readonly onIn: () => void }) {
  return (
    <Card title="Sign in" says="With a passkey: your face, finger or the PIN of this device. There is no password to lose.">
      <SignInForm onIn={onIn} email="" />
    </Card>
  );
}

/** A card in the middle of an empty page. */
export function Card({ title, says, children }: { readonly title: string; readonly says: ReactNode; readonly children: ReactNode }) {
  const ways = useCall("waysIn", {});
  return (
    <div className={styles["page"]}>
      <main className={styles["card"]}>
        <Brand />
        <h1>{title}</h1>
        <p className="quiet">{says}</p>
        {children}
      </main>
      <footer className={styles["foot"]}>
        {ways.data !== undefined && (
          <span>
            <b>{ways.data.live ? "Live" : "Test"}</b> · {ways.data.host}
          </span>
        )}
        <span>For people who work here. Each sign-in is recorded.</span>
      </footer>
    </div>
  );
}

export function SignInForm({ onIn, email: known }: { readonly onIn: () => void; readonly email: string }) {
  const ways = useCall("waysIn", {});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const byPasskey = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { challenge, options } = await call("passkeyWanted", {});
      // The server's library has created these options.
      const credential = await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
      await call("enterByPasskey", { challenge, credential: { ...credential } });
      onIn();
    } catch (error) {
      setProblem(passkeyProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const byCompany = async () => {
    setProblem(null);
    try {
      const { challenge, url } = await call("companyWanted", {});
      sessionStorage.setItem(companyKey, challenge);
      location.assign(url);
    } catch (error) {
      setProblem(
        error instanceof StudioError && error.code === codes.notReady
          ? "The company’s sign-in does not answer. Try a passkey."
          : passkeyProblem(error),
      );
    }
  };
  return (
    <div className={styles["ways"]}>
      <Button kind="main" busy={busy} onClick={() => void byPasskey()}>
        <KeyRound size={16} aria-hidden="true" />
        Continue with a passkey
      </Button>
      {typeof ways.data?.company === "string" && (
        <Button onClick={() => void byCompany()}>
          <Building2 size={16} aria-hidden="true" />
          Continue with {ways.data.company}
        </Button>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <ByMail email={known} />
    </div>
  );
}

function ByMail({ email: known }: { readonly email: string }) {
  const [email, setEmail] = useState(known);
  const [state, setState] = useState<{ readonly sent: boolean; readonly problem?: string }>({ sent: false });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await call("signInLink", { email });
      setState({ sent: true });
    } catch (error) {
      setState({ sent: false, problem: error instanceof StudioError ? error.message : "Something went wrong." });
    }
  };
  return (
    <form className={styles["mail"]} onSubmit={(event) => void submit(event)}>
      <p className="quiet small">New device or lost passkey? We mail you a link that works once, for 15 minutes.</p>
      <TextField
        label="Your e-mail address"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        problem={state.problem}
      />
      <Button type="submit">
        <Mail size={16} aria-hidden="true" />
        Mail me a link
      </Button>
      <p role="status" className="small">
        {state.sent && "If this is an operator’s address, a link is on its way."}
      </p>
    </form>
  );
}
