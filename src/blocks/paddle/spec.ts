import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Milliseconds after which the loader hides, with or without a form (spec 001 §9). */
export const loaderLimit = 15_000;
/** Class of the element that holds the provider's form. */
export const frameTarget = "checkout-frame";

const schema = v.strictObject({ type: v.literal("paddle"), requirements: v.optional(ruleGroupSchema) });
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "paddle",
  schema,
  /** Never shows the action button: the provider's form has one, and after the payment the next page opens by itself (spec 001 §4). */
  validate: () => "block",
  uiTexts: [
    "block.paddle.secure",
    "block.paddle.provider",
    "block.paddle.loading",
    "block.paddle.failedTitle",
    "block.paddle.failedText",
    "block.paddle.downTitle",
    "block.paddle.downText",
    "block.paddle.limitedTitle",
    "block.paddle.limitedText",
    "block.paddle.help",
    "block.paddle.helpRetry",
    "block.paddle.helpHosted",
    "block.paddle.helpMail",
    "block.paddle.retry",
    "block.paddle.openHosted",
    "block.paddle.mailLink",
    "block.paddle.hostedOpening",
    "block.paddle.hostedFailed",
    "block.paddle.mailSending",
    "block.paddle.mailSent",
    "block.paddle.mailFailed",
  ],
  needs: ["product", "signup"],
});
