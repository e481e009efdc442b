import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** Three stars, positioned relative to the heading's font size. */
const stars = ["first", "second", "third"] as const;

export function View({ content, id, site }: BlockViewProps<Content>) {
  return (
    <h1 id={id} tabIndex={-1} className={styles["title"]}>
      {site.say(content.text)}
      <span className={styles["sky"]} aria-hidden="true">
        {stars.map((star) => (
          <svg key={star} className={styles[star]} viewBox="0 0 24 24">
            <path d="M12 0c1 7.500 4 10.600 12 12-8 1.400-11 4.500-12 12-1-7.500-4-10.600-12-12C8 10.600 11 7.500 12 0Z" />
          </svg>
        ))}
      </span>
    </h1>
  );
}
