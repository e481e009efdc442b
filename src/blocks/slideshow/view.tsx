import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Timer } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/**
 * Pictures with one sentence each, one after the other; goes on after the last (spec 001 §4). The delay is reading time: reduced motion keeps it.
 */
export function View({ content: { slideshowOptions }, context, site }: BlockViewProps<Content>) {
  const { items, delay, progress } = slideshowOptions;
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(true);
  const [over, setOver] = useState(false);
  const slide = items[at];
  const source = slide && site.picture(slide.image);

  function goOn() {
    if (at < items.length - 1) return setAt(at + 1);
    if (over) return;
    setOver(true);
    site.submit();
  }
  const position = site.t("block.slideshow.position", { NUMBER: at + 1, TOTAL: items.length });
  return (
    <div className={styles["slideshow"]} data-playing={playing}>
      {progress && (
        <ol className={styles["bars"]} aria-hidden="true">
          {items.map((_, index) => (
            <li key={index} data-at={index < at || over ? "past" : index === at ? "now" : "next"}>
              {index === at && !over && <i key={String(playing)} style={{ animationDuration: `${delay}ms` }} />}
            </li>
          ))}
        </ol>
      )}
      <div key={at} className={styles["slide"]}>
        <Timer delay={playing && !over ? delay : null} onTime={goOn} />
        <div className={styles["figure"]} data-shape={(at % 3) + 1}>
          {source && <Picture source={source} alt="" locale={context.locale} eager large />}
        </div>
        <p className={styles["text"]} aria-live="polite">
          <span className="sr">{position} </span>
          {slide && site.say(slide.text)}
        </p>
      </div>
      <div className={styles["controls"]}>
        <button type="button" aria-label={site.t("block.slideshow.previous")} disabled={at === 0} onClick={() => setAt(at - 1)}>
          <Icon name="arrow-left" />
        </button>
        <button
          type="button"
          aria-label={site.t(playing ? "block.slideshow.pause" : "block.slideshow.play")}
          onClick={() => setPlaying(!playing)}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        <Button kind="secondary" arrow className={styles["next"]} onClick={goOn}>
          {site.t(at < items.length - 1 ? "block.slideshow.next" : "block.slideshow.last")}
        </Button>
      </div>
    </div>
  );
}
