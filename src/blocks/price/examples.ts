import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [{ name: "the plans of the visitor’s country", content: { type: "price" }, done: true, status: "pass" }],
  invalid: [{ name: "prices in the content", content: { type: "price", price: 747 } }],
};
