import type { ReactNode } from "react";
import { textKey, unbroken } from "./richText.tsx";
import styles from "./TimeLine.module.css";

export interface TimeLinePoint {
  readonly when: string;
  readonly what: ReactNode;
}

/** A vertical list of events joined by a line; the first one is today. */
export function TimeLine({ label, points }: { readonly label: string; readonly points: readonly TimeLinePoint[] }) {
  return (
    <ol role="list" className={styles["line"]} aria-label={label}>
      {points.map(({ when, what }, index) => (
        <li key={index}>
          <b>{when}</b>
          <span key={textKey(what)}>{unbroken(what)}</span>
        </li>
      ))}
    </ol>
  );
}
