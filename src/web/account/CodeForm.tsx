/** A field for the six digits of a mail, and its button: logging in, or confirming the address, where the mail's link does not open. */
import * as codes from "#core/errorCodes.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useState } from "react";
import { ApiError } from "../api/request.ts";
import { useSite } from "../siteContext.tsx";
import { problemKey } from "./EmailScene.tsx";

const digits = 6;

interface CodeFormProps {
  readonly hint?: string;
  readonly go: string;
  /** Whether the page has another main action. */
  readonly second?: boolean;
  readonly onCode?: (code: string) => void;
  /** Errors that it throws are shown at the field, which keeps the code. */
  readonly send: (code: string) => Promise<void>;
}

export function CodeForm({ hint, go, second = false, onCode, send }: CodeFormProps) {
  const { t, say } = useSite();
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function enter() {
    if (code.length !== digits || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await send(code);
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status < 500 && error.code !== codes.tooMany;
      setProblem(isWrong ? t("error.1004") : say(problemKey(error)));
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Field
        label={t("page.link-sent.code")}
        hint={hint}
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
        maxLength={20}
        value={code}
        onChange={(value) => {
          const typed = value.replaceAll(/\D/g, "").slice(0, digits);
          setCode(typed);
          onCode?.(typed);
          setProblem(null);
        }}
        onEnter={() => void enter()}
        error={problem ?? undefined}
      />
      <Button
        kind={second ? "secondary" : "primary"}
        arrow={!second}
        busy={busy}
        disabled={code.length !== digits}
        onClick={() => void enter()}
      >
        {go}
      </Button>
    </>
  );
}
