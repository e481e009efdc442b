/** What an account's plan lets it do (spec 001 §3, §4). */

export interface Entitlement {
  readonly status?: string | undefined;
  /** ISO 8601. A value that contains 0001 means none. */
  readonly end: string;
}
export type PlanStatus = "usable" | "lapsed" | "none";

/**
 * The status of an account's first (newest) entitlement. Active or past due with an end is usable; deleted or paused is lapsed; without a status
 * the end decides. `now` is in milliseconds.
 */
export function planStatusOf(entitlement: Entitlement | undefined, now: number): PlanStatus {
  if (entitlement === undefined) return "none";
  const { status, end } = entitlement;
  const endless = end.includes("0001");
  switch (status) {
    case "active":
    case "past_due":
      return endless ? "none" : "usable";
    case "deleted":
    case "paused":
      return "lapsed";
    case undefined: {
      const time = endless ? Number.NaN : Date.parse(end);
      return time > now ? "usable" : time <= now ? "lapsed" : "none";
    }
    default:
      return "none";
  }
}
