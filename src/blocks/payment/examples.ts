import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [{ name: "the order of the chosen plan", content: { type: "payment" }, status: "pass" }],
  invalid: [{ name: "a total in the content", content: { type: "payment", total: 0 } }],
};
