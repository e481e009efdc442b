import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Pace, days, minutes and dates of the chosen schedule. */
const schema = v.strictObject({
  type: v.literal("scheduleSummary"),
  requirements: v.optional(ruleGroupSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "scheduleSummary",
  schema,
  validate: () => "pass",
  uiTexts: [
    "block.scheduleSummary.rhythm",
    "block.scheduleSummary.days",
    "block.scheduleSummary.session",
    "block.scheduleSummary.minutes",
    "block.scheduleSummary.start",
    "block.scheduleSummary.end",
  ],
  needs: ["schedule"],
});
