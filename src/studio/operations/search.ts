/** Search parameters of Operations: the open outbox, its filter and entry, the open error, and whether the alarms are open. */
import * as v from "valibot";
import { boxes } from "../contract/operations.ts";

const text = v.fallback(v.optional(v.string()), undefined);

export const operationsSearch = v.object({
  box: v.fallback(v.optional(v.picklist(boxes)), undefined),
  state: v.fallback(v.optional(v.picklist(["waiting", "failed", "done"])), undefined),
  entry: text,
  /** Id of the open error's cause. */
  cause: text,
  alerts: v.fallback(v.optional(v.picklist(["open"])), undefined),
});
export type OperationsSearch = v.InferOutput<typeof operationsSearch>;
