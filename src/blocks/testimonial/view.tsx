import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import { Tag } from "#ui/Tag.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** A quote about the program, with its author. */
export function View({ content, context, site }: BlockViewProps<Content>) {
  const source = content.image === undefined ? null : site.picture(content.image);
  return (
    <figure className={styles["testimonial"]}>
      <SpeechBubble tone="surface" className={styles["said"]}>
        {content.example && <Tag className={styles["example"]}>{site.t("block.example")}</Tag>}
        <blockquote lang={content.locale === context.locale ? undefined : content.locale}>{site.say(content.text)}</blockquote>
      </SpeechBubble>
      <figcaption>
        <span className={styles["face"]} aria-hidden="true">
          {source ? <Picture source={source} alt="" locale={context.locale} /> : content.name.slice(0, 1)}
        </span>
        <span>
          <b>{content.name}</b>
          <small>{site.say(content.country)}</small>
        </span>
      </figcaption>
    </figure>
  );
}
