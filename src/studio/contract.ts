/** All calls of the studio in one table. The visitors' contract is `core/api.ts`; no row of this table reaches a visitor. */
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

/** Calls that show mails and webhooks, or set where alerts go. */
const sensitiveOperations = [
  "outbox",
  "outboxEntry",
  "outboxRetry",
  "alertRuleSet",
  "alertChannelSet",
] as const satisfies readonly (keyof typeof operationsCalls)[];

/** Ways in: whoever finds a browser signed in makes none of their own. */
const keysToTheStudio = ["passkeyOffered", "passkeyAdd", "passkeyRemove"] as const satisfies readonly (keyof typeof operatorsCalls)[];

/** Calls about persons, money, roles and ways in need a sign-in within 15 minutes of the last call. */
export function asksForFreshSession(key: StudioKey): boolean {
  return (
    Object.hasOwn(peopleCalls, key) ||
    Object.hasOwn(moneyCalls, key) ||
    [...sensitiveOperations, ...keysToTheStudio].some((sensitive) => sensitive === key) ||
    (studioCalls[key].role === "admin" && Object.hasOwn(operatorsCalls, key))
  );
}

export function isStudioKey(key: string): key is StudioKey {
  return Object.hasOwn(studioCalls, key);
}
