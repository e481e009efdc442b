import type { ReactNode } from "react";
import styles from "./CheckList.module.css";
import { isIconName } from "./Icon.tsx";
import { OptionCard } from "./OptionCard.tsx";

interface CheckListProps {
  readonly id: string;
  /** The instruction, such as "choose at least one". */
  readonly hint: ReactNode;
  /** The number of chosen items, in words; empty for none. */
  readonly chosenText: string;
  readonly items: readonly { readonly id: string; readonly text: ReactNode; readonly icon?: string | undefined }[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
}

/** Several choices, each a card with a tick. */
export function CheckList({ id, hint, chosenText, items, chosen, onToggle }: CheckListProps) {
  return (
    <div className={styles["list"]} role="group" aria-labelledby={`${id}-hint`}>
      <p className={styles["head"]}>
        <span id={`${id}-hint`}>{hint}</span>
        <b aria-live="polite">{chosenText}</b>
      </p>
      {items.map((item, index) => (
        <OptionCard
          key={item.id}
          role="checkbox"
          aria-checked={chosen.includes(item.id)}
          chosen={chosen.includes(item.id)}
          marked
          title={item.text}
          icon={isIconName(item.icon) ? item.icon : undefined}
          shape={([1, 2, 3] as const)[index % 3] ?? 1}
          onClick={() => onToggle(item.id)}
        />
      ))}
    </div>
  );
}
