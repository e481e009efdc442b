/** Search parameters of this screen: filters and the open panel, all optional. */
import { paymentProviders } from "#core/products.ts";
import * as v from "valibot";
import { breakdowns, entryKinds } from "../contract/money.ts";

const text = v.fallback(v.optional(v.string()), undefined);
const day = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined);

export const moneySearch = v.object({
  from: day,
  to: day,
  currency: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))), undefined),
  product: text,
  country: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^([A-Z]{2}|none)$/))), undefined),
  provider: v.fallback(v.optional(v.picklist(paymentProviders)), undefined),
  by: v.fallback(v.optional(v.picklist(breakdowns)), undefined),
  view: v.fallback(v.optional(v.picklist(["chart", "table"])), undefined),
  /** The open list of payments: all of them, or one kind. */
  rows: v.fallback(v.optional(v.picklist(["all", ...entryKinds])), undefined),
  /** Whether the list of failed charges is open. */
  failed: v.fallback(v.optional(v.picklist(["open"])), undefined),
  /** Currency and key of the table row whose payments are open. */
  in: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))), undefined),
  of: text,
});
export type MoneySearch = v.InferOutput<typeof moneySearch>;
