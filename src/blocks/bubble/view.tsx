import { classes } from "#ui/classes.ts";
import { Figure } from "#ui/Figure.tsx";
import { Listen } from "#ui/Listen.tsx";
import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, context, site }: BlockViewProps<Content>) {
  const picture = content.figure === undefined ? null : site.picture(content.figure);
  const large = content.size === "large";
  const figure = picture !== null && (
    <Figure shape={large ? 2 : 1} className={styles["who"]}>
      <Picture source={picture} locale={context.locale} alt="" eager={large} />
    </Figure>
  );
  const hint = content.hint !== undefined && <p className={styles["hint"]}>{site.say(content.hint)}</p>;
  if (large) {
    return (
      <div className={styles["large"]}>
        <SpeechBubble large side={content.side} tone={content.side === "we" ? "shape-1" : "shape-3"} className={styles["speech"]}>
          <div className={styles["words"]}>
            {content.count && (
              <p className={styles["count"]}>{site.t("block.bubble.count", { AT: content.count.at, OF: content.count.of })}</p>
            )}
            <q lang={content.lang}>{site.say(content.text)}</q>
            {content.lang === "en" && <Listen text={site.plain(content.text)} label={site.t("block.bubble.listen")} />}
          </div>
        </SpeechBubble>
        {(figure || hint) && (
          <div className={styles["speaker"]}>
            {figure}
            {hint}
          </div>
        )}
      </div>
    );
  }
  return (
    <div className={classes(styles["row"], styles[content.side])}>
      {figure}
      <div className={styles["said"]}>
        <SpeechBubble side={content.side} tone={content.side === "we" ? "shape-2" : "surface"}>
          <p lang={content.lang}>{site.say(content.text)}</p>
        </SpeechBubble>
        {hint}
      </div>
    </div>
  );
}
