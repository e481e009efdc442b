/** Numbered steps joined by a dotted line. Finished ones have a tick, the next one is emphasised. */
import { classes } from "#ui/classes.ts";
import { Icon, type IconName } from "#ui/Icon.tsx";
import { textKey, unbroken } from "#ui/richText.tsx";
import type { ReactNode } from "react";
import styles from "./steps.module.css";

export interface Step {
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly done?: boolean;
  /** In place of a number. */
  readonly icon?: IconName;
}

/** Steps of which the first is the next one, unless the page's checklist says which is. */
export function Steps({ steps, hasNext = true }: { readonly steps: readonly Step[]; readonly hasNext?: boolean }) {
  return (
    <ol role="list" className={styles["list"]}>
      {steps.map((step, index) => (
        <li key={index} data-next={(hasNext && index === 0) || undefined}>
          <StepRow step={step} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}

interface ChecklistProps {
  readonly steps: readonly Step[];
  readonly label: string;
  /** What screen readers say after a finished step's title. */
  readonly doneLabel: string;
  /** Only titles, without numbers. */
  readonly short: boolean;
}

/** Steps that are finished one after the other. */
export function Checklist({ steps, label, doneLabel, short }: ChecklistProps) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <ol role="list" className={classes(styles["list"], short && styles["short"])} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={index}
          aria-current={index === next ? "step" : undefined}
          data-next={index === next || undefined}
          data-done={step.done || undefined}
        >
          <StepRow step={step} number={short ? undefined : numberOf(steps, index)} doneLabel={doneLabel} short={short} />
        </li>
      ))}
    </ol>
  );
}

/** The number of a step, counted without those that have an icon. */
const numberOf = (steps: readonly Step[], index: number) => steps.slice(0, index + 1).filter(({ icon }) => icon === undefined).length;

interface StepRowProps {
  readonly step: Step;
  readonly number: number | undefined;
  readonly doneLabel?: string;
  readonly short?: boolean;
}

function StepRow({ step: { title, text, done = false, icon }, number, doneLabel, short = false }: StepRowProps) {
  return (
    <>
      <span className={styles["mark"]} aria-hidden="true">
        {done ? <Icon name="check" stroke={3} /> : icon !== undefined && !short ? <Icon name={icon} /> : number}
      </span>
      <div>
        <h2>
          <span key={textKey(title)}>{unbroken(title)}</span>
          {done && <span className="sr"> {doneLabel}</span>}
        </h2>
        {!short && text !== undefined && <p key={textKey(text)}>{unbroken(text)}</p>}
      </div>
    </>
  );
}
