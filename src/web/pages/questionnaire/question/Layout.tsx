/** The three layouts of a question. */
import { SideSlot } from "#ui/Side.tsx";
import { type ReactNode, useState } from "react";
import type { Question } from "#core/questionnaire/definition.ts";
import { classes } from "#ui/classes.ts";
import styles from "./question.module.css";

interface LayoutProps {
  readonly layout: Question["layout"];
  readonly eyebrow: ReactNode;
  /** Content that spans the page or stands above the title, if the layout separates it. */
  readonly above: ReactNode;
  readonly below: ReactNode;
  readonly answers: ReactNode;
  readonly withoutScript: ReactNode;
  readonly ways: ReactNode;
  readonly footnote: ReactNode;
}

export function Layout({ layout, eyebrow, above, below, answers, withoutScript, ways, footnote }: LayoutProps) {
  const [side, setSide] = useState<HTMLElement | null>(null);
  if (layout === "level")
    return (
      <>
        <div className={styles["main"]}>
          {eyebrow}
          {above}
        </div>
        <div className={styles["answer"]}>
          <div className="flow">{below}</div>
          {answers}
          {withoutScript}
          {ways}
          {footnote}
        </div>
      </>
    );
  if (layout === "wide")
    return (
      <SideSlot value={side}>
        <div className={styles["across"]}>
          {eyebrow}
          <div className="flow">{above}</div>
        </div>
        <div className={classes(styles["main"], "flow")}>
          {below}
          {answers}
          {withoutScript}
        </div>
        <div className={styles["side"]}>
          <div ref={setSide} className={styles["slot"]} />
          {ways}
          {footnote}
        </div>
      </SideSlot>
    );
  return (
    <>
      {eyebrow}
      <div className="flow">{below}</div>
      {answers}
      {withoutScript}
      {ways}
      {footnote}
    </>
  );
}
