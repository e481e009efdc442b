import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [{ name: "not asked yet", content: { type: "planByMail", question: 80 }, status: "pass" }],
  invalid: [{ name: "no way back", content: { type: "planByMail" } }],
};
