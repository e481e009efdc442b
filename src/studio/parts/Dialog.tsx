/** A modal dialog. Escape cancels it. */
import { ArrowRight } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import styles from "./Dialog.module.css";
import { TextArea } from "./Field.tsx";
import { Notice } from "./Signs.tsx";

export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  readonly title: string;
  /** Null when it cannot be cancelled. */
  readonly onClose: (() => void) | null;
  readonly children: ReactNode;
  /** `table`: wide enough for all columns of a table. */
  readonly wide?: boolean | "table";
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const from = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={styles["dialog"]}
      data-wide={wide === false ? undefined : wide}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose?.();
      }}
    >
      <div className={styles["inside"]}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Confirms an action that affects a person or money. Lists its consequences and asks for a reason. */
export function ConfirmDialog({
  title,
  consequences,
  verb,
  danger = true,
  keep = danger ? "Keep" : "Not now",
  reason = true,
  label = "Why",
  problem,
  busy = false,
  children,
  onDo,
  onClose,
}: {
  /** A question with a verb, like "Refund €53.70 to Johanna Brandt?" */
  readonly title: string;
  /** Consequences, one line each. */
  readonly consequences: readonly ReactNode[];
  readonly verb: string;
  /** Label of the cancel button. */
  readonly keep?: string;
  readonly danger?: boolean;
  /** Whether a reason is required. It is stored in the audit. */
  readonly reason?: boolean;
  /** Label of the reason. */
  readonly label?: string;
  readonly problem?: string | null;
  readonly busy?: boolean;
  /** More fields, like an amount. */
  readonly children?: ReactNode;
  readonly onDo: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const [why, setWhy] = useState("");
  const [tried, setTried] = useState(false);
  const missing = reason && why.trim().length < 3;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing && !busy) onDo(why.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className={styles["form"]} noValidate>
        <ul className={styles["consequences"]}>
          {consequences.map((line, index) => (
            <li key={index}>
              <ArrowRight size={14} aria-hidden="true" />
              <span>{line}</span>
            </li>
          ))}
        </ul>
        {children}
        {reason && (
          <TextArea
            label={label}
            hint="Kept with your name."
            value={why}
            maxLength={500}
            rows={2}
            required
            problem={tried && missing ? (label === "Why" ? "Say why in a few words." : "Say it in a few words.") : undefined}
            onChange={({ target }) => setWhy(target.value)}
          />
        )}
        {problem !== undefined && problem !== null && <Notice tone="bad">{problem}</Notice>}
        <div className="row">
          <Button type="submit" kind="main" busy={busy} data-danger={danger || undefined} className={styles["do"] ?? ""}>
            {verb}
          </Button>
          <Button onClick={onClose}>{keep}</Button>
        </div>
      </form>
    </Dialog>
  );
}
