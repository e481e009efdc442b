/** A spreadsheet would run what begins so; a quote before it keeps it text. Numbers stay numbers. */
const formula = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), the first one the heads. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
