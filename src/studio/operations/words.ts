/** English names for the values of the operations contract. */
import type { AlertRuleName, Box } from "../contract/operations.ts";
import type { Tone } from "../parts/Signs.tsx";

export const boxWords: Readonly<Record<Box, string>> = {
  mail: "Mails",
  conversions: "Conversions",
  webhooks: "Webhooks",
  duties: "What providers must do",
  erasures: "Erasures",
  alerts: "Alerts by webhook",
  journeys: "Journeys to ClickHouse",
};
export const stateTones: Readonly<Record<"waiting" | "failed" | "done", Tone>> = { waiting: "run", failed: "bad", done: "good" };
export const stateWords: Readonly<Record<"waiting" | "failed" | "done", string>> = { waiting: "Waits", failed: "Failed", done: "Done" };
export const partTones: Readonly<Record<"works" | "slow" | "fails" | "unknown", Tone>> = {
  works: "good",
  slow: "care",
  fails: "bad",
  unknown: "none",
};
export const partWords = { works: "Works", slow: "Slow", fails: "Fails", unknown: "Not known" } as const;
export const ruleWords: Readonly<Record<AlertRuleName, string>> = {
  "no-payments": "No payments",
  "webhooks-fail": "Webhooks are not applied",
  "mail-waits": "Mails do not go out",
  "duties-wait": "The provider does not do what it must",
  "server-errors": "The server fails",
  "page-errors": "Errors in visitors’ browsers",
  "money-differs": "Books and provider differ",
  "copy-waits": "ClickHouse is behind",
};
