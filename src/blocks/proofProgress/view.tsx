import { useInterval, useReducedMotion, useTimeout, useWhen, waitFor } from "#ui/motion.ts";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import { type Content, counterDelay, counterEnd, counterInterval } from "./spec.ts";
import styles from "./view.module.css";

/** A counter that fills once. In versions with a talking guide it is a ring (spec 001 §4). */
export function View({ content, id, done, site }: BlockViewProps<Content>) {
  const moves = content.proofProgressOptions.animation;
  const reduced = useReducedMotion();
  const [count, setCount] = useState(moves && !done ? 0 : counterEnd);
  const [counting, setCounting] = useState(false);
  const full = count === counterEnd;

  useTimeout(
    () => {
      if (reduced) setCount(counterEnd);
      else setCounting(true);
    },
    full || counting ? null : waitFor(counterDelay, reduced),
  );
  useInterval(() => setCount((at) => Math.min(counterEnd, at + 1)), counting && !full ? counterInterval : null);
  useWhen(full && moves, site.onDone);

  const percent = site.formats.percent(count / counterEnd);
  return (
    <div className={styles["proof"]} data-variant={site.avatarVariant ? "ring" : "bar"} data-full={full}>
      <p className={styles["label"]} id={id}>
        {site.say(content.label)}
      </p>
      <div
        className={styles["meter"]}
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={counterEnd}
        aria-valuenow={count}
        aria-valuetext={percent}
      >
        {site.avatarVariant ? <Ring share={count / counterEnd} /> : <Bar share={count / counterEnd} />}
        <b className={styles["count"]}>{percent}</b>
      </div>
      {content.text !== undefined && (
        <p className={styles["text"]} aria-live="polite">
          <span hidden={!full}>{site.say(content.text)}</span>
        </p>
      )}
    </div>
  );
}

function Bar({ share }: { readonly share: number }) {
  return (
    <span className={styles["track"]}>
      <i style={{ scale: `${share} 1` }} />
    </span>
  );
}

const ringRadius = 54;
const ringLength = 2 * Math.PI * ringRadius;

function Ring({ share }: { readonly share: number }) {
  return (
    <svg className={styles["ring"]} viewBox="0 0 128 128" aria-hidden="true">
      <circle cx="64" cy="64" r={ringRadius} />
      <circle
        cx="64"
        cy="64"
        r={ringRadius}
        strokeDasharray={ringLength}
        strokeDashoffset={ringLength * (1 - share)}
        data-drawn={share > 0}
      />
    </svg>
  );
}
