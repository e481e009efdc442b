import { Picture } from "#ui/Picture.tsx";
import { Tag } from "#ui/Tag.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, context, site }: BlockViewProps<Content>) {
  const source = site.picture(content.image);
  if (source === null) return null;
  return (
    <figure className={styles["image"]}>
      <Picture source={source} locale={context.locale} alt={site.plain(content.alt)} />
      {content.badge !== undefined && <Tag className={styles["badge"]}>{site.say(content.badge)}</Tag>}
    </figure>
  );
}
