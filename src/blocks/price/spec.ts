import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { offerDetailsTexts } from "../offerDetails.spec.ts";

/** The plans to choose from, the amount due today, and the renewal (spec 001 §3, §7). */
const schema = v.strictObject({
  type: v.literal("price"),
  requirements: v.optional(ruleGroupSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "price",
  schema,
  /** The visitor cannot go on before the plans were shown. */
  validate: (_content, { done }) => (done ? "pass" : "fail"),
  uiTexts: [
    "block.price.label",
    "block.price.perMonth",
    "block.price.perWeek",
    "block.price.once",
    "block.price.before",
    "block.price.every",
    "block.price.renewsEvery",
    "block.price.length",
    "block.price.today",
    "block.price.renewsTrial",
    "block.price.renews",
    "block.price.onetime",
    ...offerDetailsTexts,
    "block.price.coupon",
    "block.price.couponOther",
    "block.price.couponLabel",
    "block.price.couponApply",
    "block.price.couponApplied",
    "block.price.couponSame",
    "block.price.couponKept",
    "block.price.couponUnknown",
    "block.price.couponFailed",
    "block.price.trialUsed",
    "block.price.taxIncluded",
    "block.price.taxNote",
    "block.price.covers",
    "block.price.coversPart",
    "block.price.loading",
    "block.price.late",
    "block.price.failed",
    "block.price.retry",
  ],
  needs: ["product"],
});
