import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.ts";
import styles from "./controls.module.css";

interface FieldProps {
  readonly label: string;
  /** The error, shown under the field. */
  readonly problem?: string | undefined;
  readonly hint?: ReactNode;
  /** Hides the label visually; screen readers still hear it. */
  readonly labelHidden?: boolean;
}

function Around({
  id,
  label,
  problem,
  hint,
  labelHidden = false,
  children,
}: FieldProps & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={styles["field"]}>
      <label htmlFor={id} className={labelHidden ? "heard" : styles["label"]}>
        {label}
      </label>
      {children}
      {hint !== undefined && <p className="tiny quiet">{hint}</p>}
      {problem !== undefined && (
        <p className="tiny bad" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
const said = (id: string, problem: string | undefined) =>
  problem === undefined ? {} : { "aria-invalid": true, "aria-describedby": `${id}-problem` };

export function TextField({
  label,
  problem,
  hint,
  labelHidden,
  className,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <Around id={id} label={label} problem={problem} hint={hint} {...(labelHidden === undefined ? {} : { labelHidden })}>
      <input id={id} {...said(id, problem)} {...rest} className={classes(styles["input"], className)} />
    </Around>
  );
}

export function TextArea({ label, problem, hint, className, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Around id={id} label={label} problem={problem} hint={hint}>
      <textarea id={id} rows={3} {...said(id, problem)} {...rest} className={classes(styles["input"], className)} />
    </Around>
  );
}

export function Select({
  label,
  problem,
  hint,
  labelHidden,
  className,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Around id={id} label={label} problem={problem} hint={hint} {...(labelHidden === undefined ? {} : { labelHidden })}>
      <select id={id} {...said(id, problem)} {...rest} className={classes(styles["input"], styles["select"], className)}>
        {children}
      </select>
    </Around>
  );
}
