import * as codes from "#core/errorCodes.ts";
import { emailSchema } from "#core/validation.ts";
import type { UiKey } from "#content/texts/ui.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useState } from "react";
import * as v from "valibot";
import { namedBackend } from "../../account/afterLogin.ts";
import { problemKey, showErrorAt } from "../../account/EmailScene.tsx";
import { NeedsScript } from "../../account/NeedsScript.tsx";
import { ApiError } from "../../api/request.ts";
import { useSite } from "../../siteContext.tsx";
import styles from "./contract.module.css";
import type { Kind, Notice, Sent } from "./notice.ts";

const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A choice of native radio buttons. */
function Choice<Value extends string>({
  legend,
  name,
  values,
  chosen,
  onChoose,
}: {
  readonly legend: string;
  readonly name: string;
  readonly values: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset className={styles["choice"]}>
      <legend>{legend}</legend>
      {values.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function CancelFields({ notice, change }: { readonly notice: Notice; readonly change: (changes: Partial<Notice>) => void }) {
  const { t, session } = useSite();
  const { today } = session.snapshot().context;
  return (
    <>
      <Choice
        legend={t("contract.cancel.kind")}
        name="kind"
        values={[
          ["ordinary", t("contract.cancel.ordinary")],
          ["cause", t("contract.cancel.extraordinary")],
        ]}
        chosen={notice.forCause ? "cause" : "ordinary"}
        onChoose={(value) => change({ forCause: value === "cause" })}
      />
      <Field
        label={t("contract.cancel.reason")}
        hint={t(notice.forCause ? "contract.cancel.cause.hint" : "contract.cancel.reason.hint")}
        value={notice.reason ?? ""}
        maxLength={500}
        onChange={(reason) => change({ reason })}
      />
      <Choice
        legend={t("contract.cancel.when")}
        name="when"
        values={[
          ["soonest", t("contract.cancel.soonest")],
          ["later", t("contract.cancel.later")],
        ]}
        chosen={notice.notBefore == null ? "soonest" : "later"}
        onChoose={(value) => change({ notBefore: value === "later" ? today : null })}
      />
      {notice.notBefore != null && (
        <Field
          label={t("contract.cancel.date")}
          type="date"
          value={notice.notBefore}
          onChange={(day) => change({ notBefore: day === "" ? today : day })}
        />
      )}
    </>
  );
}

const asked = ["name", "contract", "email"] as const;
type Asked = (typeof asked)[number];
const fieldId = (field: Asked) => `notice-${field}`;

function wrongWith(field: Asked, value: string): UiKey | null {
  if (value.trim() === "") return "validator_required";
  return field === "email" && !v.is(emailSchema, value) ? "validator_invalid_email" : null;
}

function useNotice(kind: Kind, onSent: (sent: Sent) => void) {
  const site = useSite();
  const { locale, services } = site;
  // The id lets the server count a statement that is sent twice only once.
  const [id] = useState(() => crypto.randomUUID());
  const [notice, setNotice] = useState<Notice>({ id, kind, name: "", contract: "", email: "", language: locale });
  const [left, setLeft] = useState<ReadonlySet<Asked>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<UiKey | null>(null);
  const change = (changes: Partial<Notice>) => setNotice((before) => ({ ...before, ...changes }));

  async function send() {
    const first = asked.find((field) => wrongWith(field, notice[field]) !== null);
    setLeft(new Set(asked));
    if (first !== undefined) return showErrorAt(fieldId(first));
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const body = { ...notice, reason: notice.reason?.trim() || undefined, timeZone: timeZone() };
      const { at } = await services.api.call("contractNotice", { body, at: namedBackend(site) });
      onSent({ notice: body, at });
      scrollTo(0, 0);
    } catch (failure) {
      setProblem(failure instanceof ApiError && failure.code === codes.invalidInput ? "error.1000" : problemKey(failure));
    } finally {
      setBusy(false);
    }
  }
  return { notice, change, left, leave: (field: Asked) => setLeft((before) => new Set([...before, field])), busy, problem, send };
}

export function ContractForm({ kind, onSent }: { readonly kind: Kind; readonly onSent: (sent: Sent) => void }) {
  const { t } = useSite();
  const { notice, change, left, leave, busy, problem, send } = useNotice(kind, onSent);
  const field = (name: Asked) => {
    const wrong = wrongWith(name, notice[name]);
    return {
      id: fieldId(name),
      value: notice[name],
      onChange: (value: string) => change({ [name]: value }),
      onBlur: () => leave(name),
      error: left.has(name) && wrong !== null ? t(wrong) : undefined,
    };
  };
  return (
    <form
      className={styles["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <NeedsScript />
      {kind === "cancel" && <CancelFields notice={notice} change={change} />}
      <Field {...field("name")} label={t("contract.name")} autoComplete="name" maxLength={100} />
      <Field {...field("contract")} label={t("contract.contract")} hint={t("contract.contract.hint")} maxLength={100} />
      <Field
        {...field("email")}
        label={t("contract.email")}
        hint={t("contract.email.hint")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <div aria-live="polite">{problem !== null && <p className={styles["problem"]}>{t(problem)}</p>}</div>
      <Button type="submit" busy={busy}>
        {t(`contract.${kind}.go`)}
      </Button>
    </form>
  );
}
