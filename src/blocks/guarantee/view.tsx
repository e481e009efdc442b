import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** Our guarantee, under a seal. */
export function View({ content, site }: BlockViewProps<Content>) {
  return (
    <SpeechBubble tone="success" className={styles["guarantee"]}>
      <Seal />
      <div>
        <h2>{site.say(content.title)}</h2>
        <p>{site.say(content.text)}</p>
      </div>
    </SpeechBubble>
  );
}

const points = Array.from({ length: 28 }, (_, index) => {
  const angle = (index / 28) * 2 * Math.PI;
  const radius = index % 2 === 0 ? 28 : 24;
  return `${(28 + radius * Math.sin(angle)).toFixed(2)},${(28 - radius * Math.cos(angle)).toFixed(2)}`;
}).join(" ");

function Seal() {
  return (
    <svg className={styles["seal"]} viewBox="0 0 56 56" aria-hidden="true">
      <polygon points={points} />
      <path d="m18.5 28.5 6.5 6.5 12.5-13" />
    </svg>
  );
}
