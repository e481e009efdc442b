import styles from "./TypingBubble.module.css";

/** Somebody is about to say something: the waiting sign of the whole funnel. Says nothing itself: put words beside it. */
export function TypingBubble({ size = "large" }: { readonly size?: "large" | "small" }) {
  return (
    <span className={styles["bubble"]} data-size={size} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
