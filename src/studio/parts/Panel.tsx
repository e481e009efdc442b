/** Layout of a screen: head, columns, sections, and a panel for the chosen row. */
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useKeys } from "../shell/keys.ts";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Panel.module.css";

/** Head of a screen: title, a note, actions at the end, filters below. */
export function PageHead({
  title,
  says,
  beside,
  actions,
  children,
}: {
  readonly title: string;
  readonly says?: ReactNode;
  /** A status beside the title. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** The filters. */
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  return (
    <header className={styles["head"]}>
      <div className={styles["headRow"]}>
        <div>
          <div className="row wrap">
            <h1>{title}</h1>
            {beside}
          </div>
          {says !== undefined && <p className="quiet">{says}</p>}
        </div>
        {actions !== undefined && <div className={styles["actions"]}>{actions}</div>}
      </div>
      {children !== undefined && children !== false && <div className={styles["filters"]}>{children}</div>}
    </header>
  );
}

/** Columns that scroll separately. They stack on narrow screens; `early` stacks them sooner, for a wide table. */
export function Split({
  columns,
  early = false,
  children,
}: {
  readonly columns: string;
  readonly early?: boolean;
  readonly children: ReactNode;
}) {
  const style: CSSProperties & Record<"--columns", string> = { "--columns": columns };
  return (
    <div className={classes(styles["split"], early && styles["early"])} style={style}>
      {children}
    </div>
  );
}

/** A column of a `Split`. One that scrolls takes the focus, so that keys scroll it. */
export function Column({ children, side = false }: { readonly children: ReactNode; readonly side?: boolean }) {
  const column = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(column);
  return (
    <div ref={column} className={classes(styles["column"], side && styles["side"])} {...(scrolls ? { tabIndex: 0, role: "group" } : {})}>
      {children}
    </div>
  );
}

/** Whether the element's content is taller than the element. */
function useScrolls(of: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  // After each render, because sections come and go.
  useEffect(() => {
    const element = of.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setScrolls(element.scrollHeight > element.clientHeight));
    for (const each of [element, ...element.children]) observer.observe(each);
    return () => observer.disconnect();
  });
  return scrolls;
}

/** Links to the sections of a long screen or panel, by their `anchor`. */
export function Chapters({ of }: { readonly of: readonly (readonly [anchor: string, words: string])[] }) {
  return (
    <nav className={styles["chapters"]} aria-label="On this page">
      {of.map(([anchor, words]) => (
        <Link
          key={anchor}
          to="."
          search
          hash={anchor}
          replace
          resetScroll={false}
          activeOptions={{ includeHash: true }}
          onClick={() => document.getElementById(anchor)?.scrollIntoView({ block: "start" })}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}

export function Section({
  anchor,
  title,
  says,
  actions,
  children,
}: {
  /** Its name in the address, for `Chapters`. */
  readonly anchor?: string;
  readonly title?: string;
  readonly says?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={anchor} className={styles["section"]} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={styles["sectionHead"]}>
          <h2 id={id}>{title}</h2>
          {says !== undefined && <span className="quiet small">{says}</span>}
          {actions !== undefined && <span className={classes("push", "row", "wrap")}>{actions}</span>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Details of the chosen row. Escape closes the panel. */
export function Panel({
  title,
  says,
  sign,
  chapters,
  actions,
  onClose,
  children,
}: {
  readonly title: string;
  readonly says?: ReactNode;
  readonly sign?: ReactNode;
  /** Links to the panel's sections. */
  readonly chapters?: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useKeys((key) => {
    if (key !== "Escape") return false;
    onClose();
    return true;
  });
  return (
    <aside className={classes(styles["column"], styles["panel"])} aria-label={title}>
      <div className={styles["panelHead"]}>
        {sign}
        <div className={styles["panelTitle"]}>
          <h2>{title}</h2>
          {says !== undefined && <p className="quiet small">{says}</p>}
        </div>
        <span className={classes("push", "row")}>
          {actions}
          <Button kind="plain" square small aria-label="Close" title="Close (Esc)" onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </Button>
        </span>
        {chapters !== undefined && <div className={styles["panelChapters"]}>{chapters}</div>}
      </div>
      {children}
    </aside>
  );
}

/** A list of names and values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className={styles["facts"]}>
      {rows.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
