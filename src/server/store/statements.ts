/** Splits an SQL script into statements. */

export interface Statement {
  /** Without comments, on one line. */
  readonly text: string;
  /** The comments before the statement and inside it. */
  readonly comments: readonly string[];
}

/** What ends each kind of comment, name and text: inside them, other signs have no meaning. A doubled quote counts as an end and a new beginning. */
const closings: Readonly<Record<string, string>> = { "--": "\n", "/*": "*/", "'": "'", '"': '"' };

/** The end of the word, sign, text or comment that begins at `from`. */
function endOf(sql: string, from: number): number {
  const opening = Object.keys(closings).find((sign) => sql.startsWith(sign, from)) ?? dollarSign(sql, from);
  if (opening === null) return from + 1;
  const closing = closings[opening] ?? opening;
  const end = sql.indexOf(closing, from + opening.length);
  return end < 0 ? sql.length : end + closing.length;
}

/** The `$$` or `$name$` at `from`, which quotes any text up to its repetition. */
function dollarSign(sql: string, from: number): string | null {
  if (sql[from] !== "$") return null;
  const end = sql.indexOf("$", from + 1);
  const sign = end < 0 ? "" : sql.slice(from, end + 1);
  return /^\$[a-z_]*\$$/i.test(sign) ? sign : null;
}

export function statementsOf(sql: string): readonly Statement[] {
  const statements: Statement[] = [];
  let text = "";
  let comments: string[] = [];
  const end = () => {
    const said = text.replaceAll(/\s+/g, " ").trim();
    if (said !== "") statements.push({ text: said, comments });
    text = "";
    comments = [];
  };
  for (let at = 0; at < sql.length;) {
    const next = endOf(sql, at);
    const part = sql.slice(at, next);
    if (part.startsWith("--") || part.startsWith("/*")) {
      comments.push(part.replaceAll(/^(?:--|\/\*)|\*\/$/g, "").trim());
      text += " ";
    } else if (part === ";") end();
    else text += part;
    at = next;
  }
  end();
  return statements;
}
