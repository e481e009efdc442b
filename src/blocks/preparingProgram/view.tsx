import { GuideFigure } from "#ui/GuideScene.tsx";
import { Icon } from "#ui/Icon.tsx";
import { useInterval, useReducedMotion, useTimeout, waitFor } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import { barTicks, type Content, finalWait } from "./spec.ts";
import styles from "./view.module.css";

/** The guide describes each task while its bar fills, one after the other; then the view goes on (spec 001 §4). */
export function View({ content: { items }, context, id, site }: BlockViewProps<Content>) {
  const reduced = useReducedMotion();
  const [at, setAt] = useState({ item: 0, tick: 0 });
  const last = items.length - 1;
  const complete = at.item === last && at.tick === barTicks;
  const current = items[at.item];

  // With reduced motion a bar is either empty or full.
  const ticks = reduced ? 1 : barTicks;
  useInterval(
    () =>
      setAt(({ item, tick }) => {
        const next = tick + barTicks / ticks;
        return next >= barTicks && item < last ? { item: item + 1, tick: 0 } : { item, tick: Math.min(next, barTicks) };
      }),
    current && !complete ? waitFor(current.duration, reduced) / ticks : null,
  );
  useTimeout(site.submit, complete ? waitFor(finalWait, reduced) : null);

  const titles = current?.titles ?? [];
  const title = titles[Math.min(titles.length - 1, Math.floor((at.tick / barTicks) * titles.length))];
  const guide = site.picture("guide");
  return (
    <div className={styles["preparing"]}>
      <div className={styles["guide"]}>
        {guide && (
          <GuideFigure>
            <Picture source={guide} alt="" locale={context.locale} />
          </GuideFigure>
        )}
        <p className={styles["title"]} aria-live="polite">
          {title !== undefined && site.say(title)}
        </p>
      </div>
      <ol className={styles["items"]}>
        {items.map((item, index) => {
          const tick = index < at.item ? barTicks : index === at.item ? at.tick : 0;
          const share = tick / barTicks;
          return (
            <li key={index} data-full={tick === barTicks} data-begun={index <= at.item}>
              <span className={styles["label"]} data-color={item.textColor} id={`${id}-${index}`}>
                {site.say(item.label)}
              </span>
              <span className={styles["percent"]}>
                {tick === barTicks ? <Icon name="check" /> : tick > 0 && site.formats.percent(share)}
              </span>
              <span
                className={styles["bar"]}
                role="progressbar"
                aria-labelledby={`${id}-${index}`}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(share * 100)}
              >
                <i data-color={item.barColor} style={{ scale: `${share} 1` }} />
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
