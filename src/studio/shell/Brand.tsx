import styles from "./Shell.module.css";

/** The logo and the brand's name. */
export function Brand() {
  return (
    <span className={styles["brand"]}>
      <svg viewBox="0 0 31 27" aria-hidden="true" focusable="false" width={23} height={20}>
        <path fill="var(--primary)" d="M0 20V11a11 11 0 1 1 11 11H2a2 2 0 0 1-2-2Z" />
        <path
          fill="var(--accent)"
          stroke="var(--page)"
          strokeWidth="2.4"
          paintOrder="stroke"
          d="M14.4 18a7.6 7.6 0 0 1 15.2 0v6.2a1.4 1.4 0 0 1-1.4 1.4H22a7.6 7.6 0 0 1-7.6-7.6Z"
        />
      </svg>
      <b>parlando</b> <small>studio</small>
    </span>
  );
}
