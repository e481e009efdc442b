import styles from "./ProgressBar.module.css";

/** How far along, 0 to 100. The caller keeps it from stepping back. */
export function ProgressBar({ percent, label }: { readonly percent: number; readonly label: string }) {
  const shown = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <div className={styles["bar"]} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={shown}>
      <div className={styles["done"]} style={{ width: `${shown}%` }} />
    </div>
  );
}
