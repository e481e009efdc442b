import styles from "./ProgressBar.module.css";

/** Progress from 0 to 100. The caller ensures that it never decreases. */
export function ProgressBar({ percent, label }: { readonly percent: number; readonly label: string }) {
  const shown = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <div className={styles["bar"]} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={shown}>
      <div className={styles["done"]} style={{ width: `${shown}%` }} />
    </div>
  );
}
