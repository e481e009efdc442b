/** The studio's calls, one table (design: the contract of the visitors' side is `core/api.ts`). No row of it reaches a visitor. */
import type { StudioCalls } from "./contract/call.ts";
import { funnelCalls } from "./contract/funnel.ts";
import { moneyCalls } from "./contract/money.ts";
import { operationsCalls } from "./contract/operations.ts";
import { operatorsCalls } from "./contract/operators.ts";
import { peopleCalls } from "./contract/people.ts";

export const studioCalls = {
  ...operatorsCalls,
  ...funnelCalls,
  ...peopleCalls,
  ...moneyCalls,
  ...operationsCalls,
} as const satisfies StudioCalls;

export type StudioKey = keyof typeof studioCalls;
