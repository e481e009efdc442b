import { useId } from "react";
import styles from "./controls.module.css";

/** Radio buttons that look like one control, for a few options. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className={styles["segmented"]}>
      <legend className="heard">{label}</legend>
      {options.map(([option, words]) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
