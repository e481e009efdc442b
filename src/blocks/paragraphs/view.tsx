import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, site }: BlockViewProps<Content>) {
  return (
    <div className={styles["paragraphs"]}>
      {content.items.map((item, index) => (
        <p key={index}>{site.say(item)}</p>
      ))}
    </div>
  );
}
