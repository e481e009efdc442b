import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "one sentence",
      content: { type: "preparingProgramSimple", text: ["Preparando tu programa, ", ["arg", "FIRSTNAME"], "…"] },
      status: "block",
    },
    {
      name: "in German",
      locale: "de-DE",
      content: { type: "preparingProgramSimple", text: "Dein persönliches Englischprogramm wird zusammengestellt …" },
      status: "block",
    },
  ],
  invalid: [
    { name: "no text", content: { type: "preparingProgramSimple" } },
    { name: "a duration, which the specification fixes", content: { type: "preparingProgramSimple", text: "Un momento", duration: 10 } },
  ],
};
