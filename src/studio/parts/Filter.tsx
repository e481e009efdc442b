/** Filter chips: a chip shows the chosen values and opens a list of options. */
import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button as PressButton, Dialog, DialogTrigger, ListBox, ListBoxItem, Popover, type Selection } from "react-aria-components";
import { classes } from "./classes.ts";
import styles from "./controls.module.css";
import { periods } from "./periods.ts";

export interface FilterOption {
  readonly value: string;
  readonly words: string;
  /** Shown at the end of the option, like a count. */
  readonly hint?: string;
}

interface FilterProps {
  readonly label: string;
  readonly options: readonly FilterOption[];
  /** The chosen values; empty means all. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Allows at most one value. */
  readonly single?: boolean;
  /** Label when nothing is chosen. */
  readonly all?: string;
}

const namedAtMost = 3;
/** Moves the focus into the list when it opens. */
const takeFocus = (list: HTMLElement | null) => list?.focus();

/** A filter with one or several values from a list. */
export function Filter({ label, options, chosen, onChange, single = false, all = "all" }: FilterProps) {
  const [open, setOpen] = useState(false);
  const words = (value: string) => options.find((option) => option.value === value)?.words ?? value;
  const says =
    chosen.length === 0 ? all : chosen.length > namedAtMost ? `${chosen.length} of ${options.length}` : chosen.map(words).join(", ");
  const choose = (selection: Selection) => {
    onChange(
      selection === "all" ? options.map(({ value }) => value) : options.map(({ value }) => value).filter((value) => selection.has(value)),
    );
    if (single) setOpen(false);
  };
  return (
    <Opens
      label={label}
      says={says}
      on={chosen.length > 0}
      open={open}
      onOpen={setOpen}
      onClear={chosen.length > 0 ? () => onChange([]) : null}
    >
      <ListBox
        aria-label={label}
        className={styles["choices"] ?? ""}
        selectionMode={single ? "single" : "multiple"}
        selectionBehavior="toggle"
        // Esc closes the list and keeps what is chosen.
        escapeKeyBehavior="none"
        selectedKeys={new Set(chosen)}
        onSelectionChange={choose}
        ref={takeFocus}
      >
        {options.map(({ value, words: said, hint }) => (
          <ListBoxItem key={value} id={value} textValue={said} className={styles["choice"] ?? ""}>
            <span aria-hidden="true" className={styles["tick"]} />
            <span className="cut">{said}</span>
            {hint !== undefined && <span className="push quiet tiny">{hint}</span>}
          </ListBoxItem>
        ))}
      </ListBox>
    </Opens>
  );
}

/** A range of UTC days, both inclusive. */
export function DaysFilter({
  label,
  from,
  to,
  max,
  none = "all days",
  onChange,
}: {
  readonly label: string;
  /** Label when no days are chosen. */
  readonly none?: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The latest day that can be chosen. */
  readonly max?: string;
  readonly onChange: (days: { readonly from: string | undefined; readonly to: string | undefined }) => void;
}) {
  const [open, setOpen] = useState(false);
  const chosen = from !== undefined || to !== undefined;
  const says = chosen ? `${from ?? "the beginning"} to ${to ?? "now"}` : none;
  const day = (value: string) => (value === "" ? undefined : value);
  return (
    <Opens
      label={label}
      says={says}
      on={chosen}
      open={open}
      onOpen={setOpen}
      onClear={chosen ? () => onChange({ from: undefined, to: undefined }) : null}
    >
      <div className={styles["days"]}>
        <div className={styles["picks"]}>
          {periods.map(([words, at]) => (
            <button key={words} type="button" onClick={() => onChange(at(Date.now()))}>
              {words}
            </button>
          ))}
        </div>
        <label>
          From
          <input type="date" value={from ?? ""} max={to ?? max} onChange={({ target }) => onChange({ from: day(target.value), to })} />
        </label>
        <label>
          To
          <input type="date" value={to ?? ""} min={from} max={max} onChange={({ target }) => onChange({ from, to: day(target.value) })} />
        </label>
      </div>
    </Opens>
  );
}

function Opens({
  label,
  says,
  on,
  open,
  onOpen,
  onClear,
  children,
}: {
  readonly label: string;
  readonly says: string;
  readonly on: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onClear: (() => void) | null;
  readonly children: ReactNode;
}) {
  return (
    <span className={styles["chipped"]}>
      <DialogTrigger isOpen={open} onOpenChange={onOpen}>
        <PressButton className={classes(styles["chip"], on && styles["on"])}>
          <span className="quiet">{label}</span> <b className="cut">{says}</b>
          <ChevronDown size={14} aria-hidden="true" />
        </PressButton>
        <Popover className={styles["popover"] ?? ""} placement="bottom start" offset={4}>
          <Dialog className={styles["floating"] ?? ""} aria-label={label}>
            {children}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {onClear !== null && (
        <button type="button" className={styles["clear"]} aria-label={`Clear ${label}`} onClick={onClear}>
          <X size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
