import { Icon } from "#ui/Icon.tsx";
import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** A figure that points at the options below. */
export function View({ content, context, site }: BlockViewProps<Content>) {
  const source = site.picture(content.image);
  return (
    <div className={styles["start"]}>
      {source && (
        <span className={styles["figure"]}>
          <Picture source={source} alt="" locale={context.locale} eager />
        </span>
      )}
      <SpeechBubble tone="shape-2" className={styles["say"]}>
        <p>{site.say(content.text)}</p>
        <span className={styles["down"]}>
          <Icon name="arrow-right" stroke={2.6} />
        </span>
      </SpeechBubble>
    </div>
  );
}
