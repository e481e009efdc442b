/** The studio's calls, one table (design: the contract of the visitors' side is `core/api.ts`). No row of it reaches a visitor. */
import type { StudioCalls } from "./contract/call.ts";
import { funnelCalls } from "./contract/funnel.ts";
import { moneyCalls } from "./contract/money.ts";
import { operationsCalls } from "./contract/operations.ts";
import { operatorsCalls } from "./contract/operators.ts";
import { peopleCalls } from "./contract/people.ts";
import { todayCalls } from "./contract/today.ts";
import { versionsCalls } from "./contract/versions.ts";

export const studioCalls = {
  ...operatorsCalls,
  ...todayCalls,
  ...funnelCalls,
  ...versionsCalls,
  ...peopleCalls,
  ...moneyCalls,
  ...operationsCalls,
} as const satisfies StudioCalls;

export type StudioKey = keyof typeof studioCalls;

/** Mails and webhooks name persons, and where alerts go is set by these. */
const sensitiveOperations = [
  "outbox",
  "outboxEntry",
  "outboxRetry",
  "alertRuleSet",
  "alertChannelSet",
] as const satisfies readonly (keyof typeof operationsCalls)[];

/** They show persons or move money, or say who may: they ask for a sign-in again after 15 minutes without a call. */
export function asksForFreshSession(key: StudioKey): boolean {
  return (
    Object.hasOwn(peopleCalls, key) ||
    Object.hasOwn(moneyCalls, key) ||
    sensitiveOperations.some((sensitive) => sensitive === key) ||
    (studioCalls[key].role === "admin" && Object.hasOwn(operatorsCalls, key))
  );
}

export function isStudioKey(key: string): key is StudioKey {
  return Object.hasOwn(studioCalls, key);
}
