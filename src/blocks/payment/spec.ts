import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { offerDetailsTexts } from "../offerDetails.spec.ts";

/** The order summary beside the payment form. */
const schema = v.strictObject({
  type: v.literal("payment"),
  requirements: v.optional(ruleGroupSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "payment",
  schema,
  validate: () => "pass",
  uiTexts: [
    "block.payment.charge",
    "block.payment.next",
    "block.payment.once",
    "block.payment.trial",
    "block.payment.withdraw",
    "block.signupPassword.terms",
    "block.price.before",
    "block.price.length",
    "block.price.every",
    "block.price.renewsTrial",
    "block.price.renews",
    "block.price.onetime",
    "block.price.today",
    ...offerDetailsTexts,
    "block.price.trialUsed",
    "block.price.taxIncluded",
    "block.price.taxNote",
    "block.price.loading",
    "block.price.late",
    "block.price.failed",
    "block.price.retry",
  ],
  needs: ["product"],
});
