import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, site }: BlockViewProps<Content>) {
  return <p className={styles["description"]}>{site.say(content.text)}</p>;
}
