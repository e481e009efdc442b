/** Formats the changes of an audit row as text. */
import { inWords } from "../parts/formats.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

function wordsOf(name: string, value: unknown, currency: string | null): string {
  if (name === "andEnd") return value === true ? "the plan ends as well" : "the plan goes on";
  if (typeof value === "number") {
    const isAmount = name === "amount";
    return `${name} ${isAmount && currency !== null ? inWords.money(value, currency) : isAmount ? `${inWords.count(value)} in minor units` : inWords.count(value)}`;
  }
  return `${name} ${typeof value === "boolean" ? (value ? "yes" : "no") : inner(value)}`;
}

function inner(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => `(${changeInWords(each)})`).join(" ");
  return isObject(value) ? `(${changeInWords(value)})` : String(value);
}

/** "transaction txn_1, amount €65.40, the plan goes on" */
export function changeInWords(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!isObject(value) || Array.isArray(value)) return inner(value);
  const currency = typeof value["currency"] === "string" ? value["currency"] : null;
  // A formatted amount includes its currency.
  const isSaid = currency !== null && typeof value["amount"] === "number";
  return Object.entries(value)
    .filter(([name]) => !(isSaid && name === "currency"))
    .map(([name, of]) => wordsOf(name, of, currency))
    .join(", ");
}
