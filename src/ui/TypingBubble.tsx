import styles from "./TypingBubble.module.css";

/** The funnel's typing indicator: somebody is about to speak. It has no label, so put text beside it. */
export function TypingBubble({ size = "large" }: { readonly size?: "large" | "small" }) {
  return (
    <span className={styles["bubble"]} data-size={size} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
