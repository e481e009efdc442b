import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** For whoever does not buy today: the plan by mail, once, if they ask for it. */
const schema = v.strictObject({
  type: v.literal("planByMail"),
  requirements: v.optional(ruleGroupSchema),
  /** The question that the mail leads back to. */
  question: v.pipe(v.number(), v.integer()),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "planByMail",
  schema,
  validate: () => "pass",
  uiTexts: [
    "block.planByMail.ask",
    "block.planByMail.only",
    "block.planByMail.sending",
    "block.planByMail.sent",
    "block.planByMail.failed",
  ],
  needs: ["signup"],
});
