/**
 * One of several, confirmed by a button. Arrow keys move the focus without choosing, Space and Enter choose
 * (reference/conventions.md): a choice by accident would change the plan or the price.
 */
import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";

interface RadioGroupProps<Value extends string | number> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value | undefined;
  readonly onChoose: (value: Value) => void;
  readonly className?: string | undefined;
  /** Draws one; the given properties go on its button. */
  readonly children: (value: Value, radio: RadioProps, chosen: boolean) => ReactNode;
}
export type RadioProps = Pick<ComponentProps<"button">, "role" | "tabIndex" | "onClick" | "aria-checked">;

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

export function RadioGroup<Value extends string | number>({ label, values, chosen, onChoose, className, children }: RadioGroupProps<Value>) {
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const radios = [...(group.current?.querySelectorAll<HTMLElement>("[role=radio]") ?? [])];
    const to = steps[event.key]?.(radios.findIndex((radio) => radio === event.target), radios.length);
    if (to === undefined) return;
    event.preventDefault();
    radios[to]?.focus();
  };
  const stop = chosen !== undefined && values.includes(chosen) ? chosen : values[0];
  return (
    <div ref={group} role="radiogroup" aria-label={label} className={className} onKeyDown={onKeyDown}>
      {values.map((value) => children(value, { role: "radio", "aria-checked": value === chosen, tabIndex: value === stop ? 0 : -1, onClick: () => onChoose(value) }, value === chosen))}
    </div>
  );
}
