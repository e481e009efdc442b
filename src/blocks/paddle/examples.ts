import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [{ name: "the form is on its way", content: { type: "paddle" }, status: "block" }],
  invalid: [{ name: "a product, which the visitor chooses", content: { type: "paddle", product: "sub-3M" } }],
};
