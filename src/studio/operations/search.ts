/** Search parameters of Operations: the open box with its filter and entry, an open cause of errors, and whether the alarms are open. */
import * as v from "valibot";
import { boxes } from "../contract/operations.ts";

const text = v.fallback(v.optional(v.string()), undefined);

export const operationsSearch = v.object({
  box: v.fallback(v.optional(v.picklist(boxes)), undefined),
  state: v.fallback(v.optional(v.picklist(["waiting", "failed", "done"])), undefined),
  entry: text,
  /** A cause of errors. */
  cause: text,
  alerts: v.fallback(v.optional(v.picklist(["open"])), undefined),
});
export type OperationsSearch = v.InferOutput<typeof operationsSearch>;
