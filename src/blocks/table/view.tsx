import { Icon, isIconName } from "#ui/Icon.tsx";
import type { BlockSite, BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

type Cell = Content["rows"][number][number];

/** A comparison table. Every `title` column after the first is highlighted as ours. */
export function View({ content: { caption, columns, rows }, site }: BlockViewProps<Content>) {
  return (
    <table className={styles["table"]}>
      {caption !== undefined && <caption>{site.say(caption)}</caption>}
      <colgroup>
        {columns.map((column, index) => (
          <col key={index} style={column.width === undefined ? undefined : { width: `${column.width}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={index} scope="col" {...look(columns, index)}>
              {isIconName(column.icon) && <Icon name={column.icon} />}
              {site.say(column.content)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, index) =>
              cell.type === "title" ? (
                <th key={index} scope="row" {...look(columns, index)}>
                  {site.say(cell.content)}
                </th>
              ) : (
                <td key={index} {...look(columns, index)}>
                  <CellContent cell={cell} site={site} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function look(columns: Content["columns"], index: number) {
  const column = columns[index];
  return {
    "data-ours": (index > 0 && column?.type === "title") || undefined,
    "data-small": column?.small || undefined,
    "data-align": column?.align ?? (index === 0 ? "start" : "center"),
  };
}

function CellContent({ cell, site }: { readonly cell: Cell; readonly site: BlockSite }) {
  if (cell.type === "title" || cell.type === "text") return site.say(cell.content);
  const good = cell.type === "positive-icon";
  return (
    <>
      <span className={styles["mark"]} data-good={good}>
        <Icon name={good ? "check" : "x"} stroke={3} />
      </span>
      {cell.content === undefined ? (
        <span className="sr">{site.t(good ? "block.table.yes" : "block.table.no")}</span>
      ) : (
        <span className={styles["beside"]}>{site.say(cell.content)}</span>
      )}
    </>
  );
}
