/** A table. J and K move to the next and previous row, Enter or a click opens it. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { hearsKeys, leaveList, useKeys, useListKeys } from "../shell/keys.ts";
import { classes } from "./classes.ts";
import styles from "./Table.module.css";

export interface Column<Row> {
  readonly key: string;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns the column to its end, for numbers. */
  readonly end?: boolean;
  /** The sort key; a column without one is not sortable. */
  readonly by?: (row: Row) => number | string | null;
  readonly width?: string;
  readonly foot?: ReactNode;
  /** A tinted background, for example of a compared version. */
  readonly sunken?: boolean;
  /** Hidden on a phone; the row's panel shows it. */
  readonly wideOnly?: boolean;
  /** Hidden where the table has little room, like beside an open panel, which shows it. */
  readonly roomOnly?: boolean;
}

interface TableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Key of the row whose panel is open. */
  readonly chosen?: string | null;
  readonly onChoose?: (row: Row) => void;
  /**
   * J, K and Enter work wherever the focus is. If the screen has several such lists, the keys work in the list with the focus, or else in
   * the first. At the end of a list they continue in the next one.
   */
  readonly keys?: boolean;
  readonly dense?: boolean;
  /** Heading above the first row of a group. Rows must be ordered by group. */
  readonly groupOf?: (row: Row) => string | null;
}

type Sorting = { readonly key: string; readonly up: boolean } | null;

const cellClass = <Row,>({ end = false, sunken = false, wideOnly = false, roomOnly = false }: Column<Row>) =>
  classes(end && styles["end"], sunken && styles["sunken"], wideOnly && styles["wideOnly"], roomOnly && styles["roomOnly"]);

const rowOf = (body: HTMLElement | null, key: string) => body?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting): readonly Row[] {
  const by = columns.find(({ key }) => key === sorting?.key)?.by;
  if (sorting === null || by === undefined) return rows;
  const direction = sorting.up ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [by(a), by(b)];
    // Unknown values come last in both directions.
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return direction * (typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other)));
  });
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, keyOf, chosen = null, onChoose, keys = false, dense = false, groupOf } = props;
  const [sorting, setSorting] = useState<Sorting>(null);
  const [at, setAt] = useState<string | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [around, wide] = useOverflow();
  const shown = sorted(rows, columns, sorting);
  const here = at ?? chosen;

  useRowKeys(body, { keys: shown.map(keyOf), here, active: keys && onChoose !== undefined }, (key) => {
    const row = shown.find((each) => keyOf(each) === key);
    if (chosen !== null && row !== undefined) onChoose?.(row);
  });
  // In rows that open nothing themselves, the keys open the rows' links (`data-row`).
  useListKeys(body, keys && onChoose === undefined);
  useOpenedInView(body, chosen);

  return (
    // A table that overflows is focusable, so that keys scroll it.
    <div
      ref={around}
      className={classes(styles["around"], onChoose !== undefined && styles["choosable"])}
      {...(wide ? { tabIndex: 0, role: "group", "aria-label": label } : {})}
    >
      <table className={classes(styles["table"], dense && styles["dense"])} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          data-keys={keys ? "" : undefined}
          onBlur={({ relatedTarget: to }) => {
            // Another list has the current row now.
            if (to?.closest("[data-keys]") != null && body.current?.contains(to) === false) setAt(null);
          }}
        >
          {shown.map((row, index) => {
            const key = keyOf(row);
            const group = sorting === null ? (groupOf?.(row) ?? null) : null;
            const before = shown[index - 1];
            const begins = group !== null && (before === undefined || groupOf?.(before) !== group);
            return [
              begins && (
                <tr key={`group ${key}`} className={styles["group"]}>
                  <th colSpan={columns.length} scope="rowgroup">
                    {group}
                  </th>
                </tr>
              ),
              <BodyRow
                key={key}
                id={key}
                row={row}
                columns={columns}
                focused={key === at}
                chosen={key === chosen}
                tabStop={key === (here ?? (shown[0] === undefined ? null : keyOf(shown[0])))}
                onFocus={setAt}
                onChoose={onChoose}
              />,
            ];
          })}
        </tbody>
        {columns.some(({ foot }) => foot !== undefined) && <Foot columns={columns} />}
      </table>
    </div>
  );
}

interface RowKeys {
  readonly keys: readonly string[];
  /** Key of the current row. */
  readonly here: string | null;
  readonly active: boolean;
}

/** J and K move to the next and previous row; beyond the last one to the next list. */
function useRowKeys(body: RefObject<HTMLElement | null>, { keys, here, active }: RowKeys, onMove: (key: string) => void): void {
  useKeys(
    (key) => {
      if ((key !== "j" && key !== "k") || !hearsKeys(body.current)) return false;
      const index = here === null ? -1 : keys.indexOf(here);
      const next = keys[index === -1 ? (key === "j" ? 0 : keys.length - 1) : index + (key === "j" ? 1 : -1)];
      if (next === undefined) {
        leaveList(body.current, key === "j");
        return true;
      }
      // The focused row handles Enter itself.
      rowOf(body.current, next)?.focus();
      onMove(next);
      return true;
    },
    active,
    body,
  );
}

/** The URL may open a row far down: scrolls to it once. */
function useOpenedInView(body: RefObject<HTMLElement | null>, chosen: string | null): void {
  const opened = useRef(chosen);
  useEffect(() => {
    if (opened.current !== null) rowOf(body.current, opened.current)?.scrollIntoView({ block: "center" });
  }, [body]);
}

/** A ref, and whether the content of its element is wider than the element. */
function useOverflow(): readonly [(element: HTMLDivElement | null) => (() => void) | undefined, boolean] {
  const [wide, setWide] = useState(false);
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, wide];
}

function BodyRow<Row>({
  id,
  row,
  columns,
  focused,
  chosen,
  tabStop,
  onFocus,
  onChoose,
}: {
  /** Key of the row. */
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly focused: boolean;
  /** The row's panel is open. */
  readonly chosen: boolean;
  /** Whether the Tab key reaches this row. J and K reach the others. */
  readonly tabStop: boolean;
  readonly onFocus: (id: string) => void;
  readonly onChoose: ((row: Row) => void) | undefined;
}) {
  return (
    <tr
      data-key={id}
      className={classes(onChoose !== undefined && styles["pressed"], focused && styles["at"], chosen && styles["chosen"])}
      aria-selected={onChoose === undefined ? undefined : chosen}
      {...(onChoose === undefined
        ? {}
        : {
            "data-row": "",
            tabIndex: tabStop ? 0 : -1,
            onFocus: () => onFocus(id),
            onClick: (event) => {
              // Links and buttons in a cell handle their own clicks.
              if (event.target instanceof Element && event.target.closest("a, button, input, summary") !== null) return;
              onFocus(id);
              onChoose(row);
            },
            onKeyDown: (event) => {
              if (event.key === "Enter" && event.target === event.currentTarget) {
                event.preventDefault();
                onChoose(row);
              }
            },
          })}
    >
      {columns.map((column) => (
        <td key={column.key} className={cellClass(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function Foot<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map((column) => (
          <td key={column.key} className={cellClass(column)}>
            {column.foot}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Head<Row>({
  column,
  sorting,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const { key, head, end = false, by, width } = column;
  const mine = sorting?.key === key ? sorting : null;
  // First click: numbers descending, words ascending. Second: reversed. Third: the original order.
  const next: Sorting = mine === null ? { key, up: !end } : mine.up === !end ? { key, up: end } : null;
  const style = width === undefined ? {} : { width };
  return (
    <th
      scope="col"
      style={style}
      className={cellClass(column)}
      aria-sort={mine === null ? undefined : mine.up ? "ascending" : "descending"}
    >
      {by === undefined ? (
        head
      ) : (
        <button type="button" className={styles["sort"]} onClick={() => onSort(next)}>
          {head}
          {mine !== null && (mine.up ? <ArrowUp size={12} aria-hidden="true" /> : <ArrowDown size={12} aria-hidden="true" />)}
        </button>
      )}
    </th>
  );
}
