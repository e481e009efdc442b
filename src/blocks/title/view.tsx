import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, id, site }: BlockViewProps<Content>) {
  return (
    <h1 id={id} tabIndex={-1} className={styles["title"]}>
      {site.say(content.text)}
    </h1>
  );
}
