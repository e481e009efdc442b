/** A page with an e-mail form: login by link, account exists, forgotten password, another address. */
import type { UiKey } from "#content/texts/ui.ts";
import { fieldError } from "#core/validation.ts";
import type { AddressedRoute, PageRoute } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { EmailSuggestion, useEmailSuggestion } from "#ui/EmailSuggestion.tsx";
import { Field } from "#ui/Field.tsx";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/request.ts";
import { Scene } from "../shell/Scene.tsx";
import { useSession, useSite } from "../siteContext.tsx";
import styles from "./account.module.css";
import { NeedsScript } from "./NeedsScript.tsx";
import { type TemporaryFailure, temporaryFailureOf } from "./temporaryFailure.ts";

interface Password {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

interface EmailSceneProps {
  readonly route: PageRoute & AddressedRoute;
  readonly figure: string;
  readonly title: string;
  readonly text: ReactNode;
  readonly label?: string;
  readonly go: string;
  /** The initial address; by default the query's `label_email`, else the stored one. */
  readonly known?: string | undefined;
  /** A further check of the address. @returns the text key of the error, or null */
  readonly wrong?: (email: string) => UiKey | null;
  /** The field for the account's password, below the address. */
  readonly proof?: Password | undefined;
  /** Submits the address. Errors that it throws are shown at the field. */
  readonly send: (email: string) => Promise<void>;
  /** Whether the button is disabled until the address is valid. Otherwise pressing it shows what is wrong (spec 001 §5). */
  readonly waits?: boolean;
  /** Alternatives below the button. `keepAddress` stores a typed address for the page that one of them leads to. */
  readonly children?: ReactNode | ((keepAddress: () => void) => ReactNode);
}

/** The text key for a failed call. */
export const problemKey = (error: unknown): TemporaryFailure => temporaryFailureOf(error) ?? "problem.unexpected";

const fieldId = "email";

/** Focuses and blurs a field, so that it shows its error (spec 001 §5), then focuses it again. */
export function showErrorAt(id: string): void {
  const field = document.getElementById(id);
  field?.focus();
  field?.blur();
  field?.focus();
}

export function EmailScene({ route, figure, title, text, label, go, known, wrong, proof, send, waits = true, children }: EmailSceneProps) {
  const { t, say, services } = useSite();
  const { live } = useSession();
  const [email, setEmail] = useState("");
  const [left, setLeft] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  // Stored values are filled in after hydration, because the server renders the same page for everybody.
  useEffect(() => {
    // A plus that the link does not encode reads as a space, which no address has.
    const named = services.arrival.get("label_email")?.trim().replaceAll(" ", "+");
    const remembered = known ?? named ?? services.store.get("signupEmail") ?? "";
    if (live) setEmail((typed) => typed || remembered);
  }, [live, known, services]);

  const { meant, stopped, enter } = useEmailSuggestion(email);
  const error = fieldError("email", email) ?? wrong?.(email.trim()) ?? null;
  const keepAddress = () => {
    if (error === null) services.store.set("signupEmail", email.trim());
  };
  function change(value: string) {
    setEmail(value);
    setProblem(null);
  }
  async function submit() {
    if (error !== null) return showErrorAt(fieldId);
    if (busy) return;
    setBusy(true);
    setProblem(null);
    // Where the field shows again, the typed address is filled in, not the link's.
    services.arrival.delete("label_email");
    try {
      await send(email.trim());
    } catch (failure) {
      const told = failure instanceof ApiError ? failure.fields["email"] : undefined;
      setProblem(say(told ?? problemKey(failure)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Scene route={route} figure={figure} title={title} text={text} compact>
      <NeedsScript />
      <div className={styles["fields"]}>
        <Field
          id={fieldId}
          label={label ?? t("page.user.email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="send"
          maxLength={254}
          value={email}
          onChange={change}
          onBlur={() => setLeft(true)}
          onEnter={() => enter(() => void submit())}
          error={problem ?? (left && error !== null ? say(error) : undefined)}
        >
          <EmailSuggestion
            meant={meant}
            stopped={stopped}
            ask={(EMAIL) => t("block.signupEmail.suggestion", { EMAIL })}
            keep={t("block.signupEmail.keep")}
            onTake={change}
          />
        </Field>
        {proof !== undefined && <PasswordField {...proof} onEnter={() => void submit()} />}
        <Button arrow busy={busy} disabled={waits && error !== null} onClick={() => void submit()}>
          {go}
        </Button>
        {typeof children === "function" ? children(keepAddress) : children}
      </div>
    </Scene>
  );
}

function PasswordField(props: Password & { readonly onEnter: () => void }) {
  const { say } = useSite();
  return (
    <Field
      {...props}
      type="password"
      autoComplete="current-password"
      toggle={{ show: say("block.signupPassword.show"), hide: say("block.signupPassword.hide") }}
    />
  );
}
