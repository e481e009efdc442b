/** All calls of the studio in one table. Visitors have their own contract (`core/api.ts`) and cannot make these calls. */
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

/** Passkey calls: somebody who finds a signed-in browser must not be able to add a passkey. */
const passkeyCalls = ["passkeyOffered", "passkeyAdd", "passkeyRemove"] as const satisfies readonly (keyof typeof operatorsCalls)[];

/** Calls about people, money, roles and passkeys need a fresh session: a sign-in, or such a call, in the last 15 minutes. */
export function asksForFreshSession(key: StudioKey): boolean {
  return (
    Object.hasOwn(peopleCalls, key) ||
    Object.hasOwn(moneyCalls, key) ||
    [...sensitiveOperations, ...passkeyCalls].some((sensitive) => sensitive === key) ||
    (studioCalls[key].role === "admin" && Object.hasOwn(operatorsCalls, key))
  );
}

export function isStudioKey(key: string): key is StudioKey {
  return Object.hasOwn(studioCalls, key);
}
