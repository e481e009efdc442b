/** A popover below its button. It opens without scripts. With scripts, Escape and clicks or focus outside close it. */
import { classes } from "#ui/classes.ts";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./shell.module.css";

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Disclosure({ summary, className, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const element = details.current;
      if (element?.open && target instanceof Node && !element.contains(target)) element.open = false;
    };
    const kinds = ["pointerdown", "focusin"] as const;
    for (const kind of kinds) document.addEventListener(kind, closeOutside);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, closeOutside);
    };
  }, []);
  const closeByEscape = (event: KeyboardEvent) => {
    const element = details.current;
    if (event.key !== "Escape" || !element?.open) return;
    event.stopPropagation();
    element.open = false;
    element.querySelector("summary")?.focus();
  };
  return (
    <details ref={details} className={classes(styles["disclosure"], className)} onKeyDown={closeByEscape}>
      <summary className={styles["link"]}>{summary}</summary>
      <div className={styles["panel"]}>{children}</div>
    </details>
  );
}
