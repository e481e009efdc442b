import { useReducedMotion, useTimeout, waitFor } from "#ui/motion.ts";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import type { BlockViewProps } from "../view.ts";
import { type Content, preparingTime } from "./spec.ts";
import styles from "./view.module.css";

/** One sentence while the program is prepared; then the view goes on (spec 001 §4). */
export function View({ content, site }: BlockViewProps<Content>) {
  const reduced = useReducedMotion();
  useTimeout(site.submit, waitFor(preparingTime, reduced));
  return (
    <div className={styles["preparing"]} role="status">
      <TypingBubble />
      <p>{site.say(content.text)}</p>
    </div>
  );
}
