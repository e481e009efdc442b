/** A page that asks for an e-mail address and sends it: login by link, account exists, forgotten password, another address. */
import * as codes from "#core/errorCodes.ts";
import type { UiKey } from "#content/texts/ui.ts";
import { fieldError } from "#core/validation.ts";
import type { AddressedRoute, PageRoute } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError, ConnectionError } from "../api/request.ts";
import { Scene } from "../shell/Scene.tsx";
import { useSession, useSite } from "../siteContext.tsx";
import styles from "./account.module.css";

interface EmailSceneProps {
  readonly route: PageRoute & AddressedRoute;
  readonly figure: string;
  readonly title: string;
  readonly text: ReactNode;
  readonly label?: string;
  readonly go: string;
  /** The address to start with; by default the stored one, or the query's `label_email`. */
  readonly known?: string | undefined;
  /** What else is wrong with an address, as a key of the interface texts. */
  readonly wrong?: (email: string) => UiKey | null;
  /** What else is to be filled in. */
  readonly fields?: ReactNode;
  /** Sends it. What it throws is told at the field, unless it is taken care of. */
  readonly send: (email: string) => Promise<void>;
  /** The button waits for an address, or takes any and then says what is wrong with it (spec 001 §5). */
  readonly waits?: boolean;
  /** Other ways, below the button. */
  readonly children?: ReactNode;
}

/** The words for what went wrong, as keys of the interface texts. */
export function problemKey(error: unknown): "problem.connection" | "problem.tooMany" | "problem.unexpected" {
  if (error instanceof ConnectionError) return "problem.connection";
  return error instanceof ApiError && error.code === codes.tooMany ? "problem.tooMany" : "problem.unexpected";
}

const fieldId = "email";

/** Focuses and blurs a field, so that it says what is wrong (spec 001 §5); then it is there to be mended. */
export function showErrorAt(id: string): void {
  const field = document.getElementById(id);
  field?.focus();
  field?.blur();
  field?.focus();
}

export function EmailScene({ route, figure, title, text, label, go, known, wrong, fields, send, waits = true, children }: EmailSceneProps) {
  const { t, say, services } = useSite();
  const { live } = useSession();
  const [email, setEmail] = useState("");
  const [left, setLeft] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  // What the device remembers comes after hydration: the page is the same for everybody.
  useEffect(() => {
    const remembered = known ?? services.arrival.get("label_email") ?? services.store.get("signupEmail") ?? "";
    if (live) setEmail((typed) => typed || remembered);
  }, [live, known, services]);

  const error = fieldError("email", email) ?? wrong?.(email.trim()) ?? null;
  async function submit() {
    if (error !== null) return showErrorAt(fieldId);
    if (busy) return;
    setBusy(true);
    setProblem(null);
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
          onChange={(value) => {
            setEmail(value);
            setProblem(null);
          }}
          onBlur={() => setLeft(true)}
          onEnter={() => void submit()}
          error={problem ?? (left && error !== null ? say(error) : undefined)}
        />
        {fields}
        <Button arrow busy={busy} disabled={waits && error !== null} onClick={() => void submit()}>
          {go}
        </Button>
        {children}
      </div>
    </Scene>
  );
}
