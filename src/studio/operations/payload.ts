/** The payload of an outbox entry as labelled rows. */
import { inWords } from "../parts/formats.ts";

export interface PayloadRow {
  readonly label: string;
  readonly value: string;
}

/** More rows would push the rest of the entry out of sight. *As JSON* shows all. */
const mostRows = 40;
/** Later than 2001 in milliseconds: smaller numbers are counts and amounts. */
const firstMoment = 1_000_000_000_000;
const amounts = /^(?:price|total|paid|tax|amount|net|fee|gross)$/i;

/** The rows of JSON, or the text as the only row. `more`: how many rows are left out. */
export function payloadRows(content: string): { readonly rows: readonly PayloadRow[]; readonly more: number; readonly isJson: boolean } {
  const parsed = parse(content);
  if (parsed === undefined) return { rows: content === "" ? [] : [{ label: "Content", value: content }], more: 0, isJson: false };
  const rows = rowsOf([], parsed, null);
  return { rows: rows.slice(0, mostRows), more: Math.max(0, rows.length - mostRows), isJson: true };
}

function parse(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

function rowsOf(path: readonly string[], value: unknown, currency: string | null): readonly PayloadRow[] {
  if (Array.isArray(value)) {
    if (value.every((each) => !isObject(each)))
      return [{ label: labelOf(path), value: value.map((each) => wordsOf("", each, null)).join(", ") || "–" }];
    return value.flatMap((each, index) => rowsOf(value.length === 1 ? path : [...path, String(index + 1)], each, currency));
  }
  if (isObject(value)) {
    const own = Object.entries(value).find(([name, each]) => /^currency(?:_?code)?$/i.test(name) && typeof each === "string")?.[1];
    const of = typeof own === "string" && /^[A-Z]{3}$/.test(own) ? own : currency;
    return Object.entries(value).flatMap(([name, each]) => rowsOf([...path, name], each, of));
  }
  return [{ label: labelOf(path), value: wordsOf(path.at(-1) ?? "", value, currency) }];
}

/** "data › billing period", from `data.billing_period` and `billingPeriod`. */
function labelOf(path: readonly string[]): string {
  const words = path.map((name) =>
    name.replaceAll(/[_.-]+/g, " ").replaceAll(/([a-z\d])([A-Z])/g, (_, before: string, next: string) => `${before} ${next.toLowerCase()}`),
  );
  const label = words
    .join(" › ")
    .replace(/^firstname$/, "first name")
    .replace(/\bid$/, "id");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function wordsOf(name: string, value: unknown, currency: string | null): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (value >= firstMoment) return `${inWords.moment(value)} UTC`;
    return amounts.test(name) && currency !== null ? inWords.money(value, currency) : String(value);
  }
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? `${inWords.moment(Date.parse(text))} UTC` : text;
}
