import { useReducedMotion, useTimeout, waitFor } from "#ui/motion.ts";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** A pause. The action button shows when it is over. */
export function View({ content, done, site }: BlockViewProps<Content>) {
  const reduced = useReducedMotion();
  useTimeout(site.onDone, done ? null : waitFor(content.duration, reduced));
  return (
    <div className={styles["wait"]} data-done={done} role="status">
      <TypingBubble />
      <p>{content.text === undefined ? site.t("block.wait.text") : site.say(content.text)}</p>
    </div>
  );
}
