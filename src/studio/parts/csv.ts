/**
 * Spreadsheets run a text that begins like this as a formula. An apostrophe before it keeps it text. Numbers get none. Every part after a semicolon
 * is checked too: in a country with decimal commas, a spreadsheet separates cells at semicolons, even within quotes.
 */
const formula = /((?:^|[;\t\r\n])[" \u00a0\u3000]*)([=+\-@＝＋－＠])/g;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = text.replace(/^[\t\r]/, "'$&").replaceAll(formula, "$1'$2");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats rows as CSV (RFC 4180). The first row holds the headings. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
