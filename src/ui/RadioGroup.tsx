/**
 * A single choice that a button confirms. Arrow keys move the focus without choosing, Space and Enter choose. An accidental choice would
 * change the plan or the price.
 */
import type { ComponentProps, ReactNode } from "react";
import { moveFocus } from "./focus.ts";

interface RadioGroupProps<Value extends string | number> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value | undefined;
  readonly onChoose: (value: Value) => void;
  readonly className?: string | undefined;
  /** Renders one choice; spread the given properties on its button. */
  readonly children: (value: Value, radio: RadioProps, chosen: boolean) => ReactNode;
}
export type RadioProps = Pick<ComponentProps<"button">, "role" | "tabIndex" | "onClick" | "aria-checked">;

export function RadioGroup<Value extends string | number>({
  label,
  values,
  chosen,
  onChoose,
  className,
  children,
}: RadioGroupProps<Value>) {
  const stop = chosen !== undefined && values.includes(chosen) ? chosen : values[0];
  return (
    <div role="radiogroup" aria-label={label} className={className} onKeyDown={(event) => moveFocus(event, "[role=radio]")}>
      {values.map((value) =>
        children(
          value,
          { role: "radio", "aria-checked": value === chosen, tabIndex: value === stop ? 0 : -1, onClick: () => onChoose(value) },
          value === chosen,
        ),
      )}
    </div>
  );
}
