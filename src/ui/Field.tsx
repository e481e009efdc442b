/** A text field with label, hint and error, which describe the input to screen readers. */
import { useEffect, useEffectEvent, useId, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Field.module.css";
import { Icon } from "./Icon.tsx";
import { afterPress } from "./press.ts";
import { unbroken } from "./richText.tsx";

type Passed = Pick<
  ComponentProps<"input">,
  "inputMode" | "autoComplete" | "enterKeyHint" | "autoCapitalize" | "spellCheck" | "placeholder" | "name" | "required" | "disabled"
>;

interface FieldProps extends Passed {
  readonly id?: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The error in the visitor's language; announced when it appears. */
  readonly error?: string | undefined;
  readonly type?: "text" | "email" | "password" | "date";
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  /** Spec 001 §5: 255 unless the field has its own limit. */
  readonly maxLength?: number;
  /** Labels of the button that shows and hides a password. */
  readonly toggle?: { readonly show: string; readonly hide: string };
  /** Content below the field, such as a suggestion. */
  readonly children?: ReactNode;
}

export function Field({
  id: givenId,
  label,
  hint,
  error,
  type = "text",
  value,
  onChange,
  onBlur,
  onEnter,
  maxLength = 255,
  toggle,
  children,
  ...passed
}: FieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const said = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");

  // Copies text typed before hydration from the element into the state, once.
  const takeOver = useEffectEvent(() => {
    const typed = input.current?.value ?? "";
    if (typed !== "" && typed !== value) onChange(typed);
  });
  useEffect(() => takeOver(), []);

  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{unbroken(label)}</label>
      <div className={classes(styles["box"], error !== undefined && styles["wrong"])}>
        <input
          {...passed}
          ref={input}
          id={id}
          type={type === "password" && shown ? "text" : type}
          value={value}
          maxLength={maxLength}
          aria-invalid={error !== undefined}
          aria-describedby={said === "" ? undefined : said}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={onBlur && (() => afterPress(onBlur))}
          onKeyDown={(event) => {
            // Ignores an Enter that confirms a word of an input method, and repeats of a held Enter.
            if (event.key !== "Enter" || event.nativeEvent.isComposing || onEnter === undefined) return;
            event.preventDefault();
            if (!event.repeat) onEnter();
          }}
        />
        {type === "password" && toggle !== undefined && (
          <button
            type="button"
            className={styles["toggle"]}
            aria-label={shown ? toggle.hide : toggle.show}
            aria-controls={id}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? "eye-off" : "eye"} />
          </button>
        )}
      </div>
      <div aria-live="polite">
        {error !== undefined && (
          <p id={`${id}-error`} className={styles["error"]}>
            <Icon name="circle-alert" className={styles["errorIcon"]} stroke={2.2} />
            <span key={error}>{unbroken(error)}</span>
          </p>
        )}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles["hint"]}>
          {unbroken(hint)}
        </p>
      )}
      {children}
    </div>
  );
}
