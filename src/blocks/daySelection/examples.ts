import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "as many as the schedule asks for",
      content: {
        type: "daySelection",
        daySelectionOptions: {
          days: "schedule",
          textInProgress: ["Te faltan ", ["arg", "LEFT"], "."],
          textDone: [
            "Con este ritmo, tu programa termina el ",
            ["tag", "b", ["19 de mayo de 2027"]],
            ". También puedes practicar otros días.",
          ],
        },
      },
      status: "pass",
    },
    { name: "five, two chosen", content: { type: "daySelection" }, state: { days: [1, 4] }, status: "fail" },
    { name: "none chosen", content: { type: "daySelection", daySelectionOptions: { days: 3 } }, state: { days: [] }, status: "fail" },
    {
      name: "every day",
      content: { type: "daySelection", daySelectionOptions: { days: 7 } },
      state: { days: [0, 1, 2, 3, 4, 5, 6] },
      status: "pass",
    },
  ],
  invalid: [
    { name: "eight days", content: { type: "daySelection", daySelectionOptions: { days: 8 } } },
    { name: "no days", content: { type: "daySelection", daySelectionOptions: { days: 0 } } },
    { name: "an unknown word for days", content: { type: "daySelection", daySelectionOptions: { days: "all" } } },
  ],
};
