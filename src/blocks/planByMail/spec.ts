import { questionId } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Mails the plan once, on request, to visitors who do not buy today. */
const schema = v.strictObject({
  type: v.literal("planByMail"),
  requirements: v.optional(ruleGroupSchema),
  /** The question that the mail links to. */
  question: questionId,
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
