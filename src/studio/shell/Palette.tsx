/** The command palette (Ctrl K): screens, actions of the open screen, search results. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { mayAs } from "../contract/call.ts";
import { finders } from "../finders.ts";
import { type Command, useOfferedCommands } from "./commands.ts";
import { useMe } from "./operator.ts";
import { usePlaces } from "./Rail.tsx";
import styles from "./Palette.module.css";

const shortestLookup = 2;

interface Group {
  readonly title: string;
  readonly rows: readonly Command[];
}

const matches = (title: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => title.toLowerCase().includes(word));

function useGroups(text: string): readonly Group[] {
  const navigate = useNavigate();
  const { operator } = useMe();
  const mine = usePlaces();
  const offered = useOfferedCommands();
  const wanted = useDeferredValue(text.trim());
  const { data: found = [] } = useQuery({
    queryKey: ["palette", wanted],
    enabled: wanted.length >= shortestLookup,
    queryFn: ({ signal }) =>
      Promise.all(
        finders
          .filter(({ role }) => mayAs(operator.role, role))
          .map(async ({ group, find }) => ({ title: group, rows: await find(wanted, signal) })),
      ),
  });
  const goes = mine.map(({ path, title, letter }): Command => ({
    id: path,
    title,
    hint: `G ${letter.toUpperCase()}`,
    run: () => void navigate({ to: path }),
  }));
  return [
    { title: "Do", rows: offered.filter(({ title }) => matches(title, text)) },
    ...(wanted.length >= shortestLookup ? found : []),
    { title: "Screens", rows: goes.filter(({ title }) => matches(title, text)) },
  ].filter(({ rows }) => rows.length > 0);
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const groups = useGroups(text);
  const rows = groups.flatMap((group) => group.rows);
  const here = Math.min(at, rows.length - 1);

  useEffect(() => {
    const from = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) setAt((here + by + rows.length) % Math.max(1, rows.length));
    else if (event.key === "Enter") run(rows[here]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles["palette"]}
      aria-label="Search or do"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles["field"]}>
        <Search size={16} aria-hidden="true" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={rows[here] === undefined ? undefined : `${id}-${here}`}
          aria-label="Search or do"
          placeholder="Search or do…"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>Esc</kbd>
      </div>
      <Found id={id} groups={groups} rows={rows} here={here} onPoint={setAt} onRun={run} />
    </dialog>
  );
}

/** The matching commands, by group. */
function Found({
  id,
  groups,
  rows,
  here,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly groups: readonly Group[];
  /** The commands of all groups in order. */
  readonly rows: readonly Command[];
  /** Index of the selected command. */
  readonly here: number;
  readonly onPoint: (index: number) => void;
  readonly onRun: (command: Command) => void;
}) {
  return (
    <div id={id} role="listbox" aria-label="Found" className={styles["found"]}>
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <p aria-hidden="true">{group.title}</p>
          {group.rows.map((command) => {
            const index = rows.indexOf(command);
            return (
              <div
                key={command.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === here}
                tabIndex={-1}
                className={styles["option"]}
                onMouseMove={() => onPoint(index)}
                onClick={() => onRun(command)}
              >
                <span className="cut">{command.title}</span>
                {command.hint !== undefined && <span className="push quiet">{command.hint}</span>}
              </div>
            );
          })}
        </div>
      ))}
      {rows.length === 0 && <p className={styles["none"]}>Nothing found.</p>}
    </div>
  );
}
