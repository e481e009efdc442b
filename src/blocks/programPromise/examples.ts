import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "with the range", content: { type: "programPromise" }, status: "pass" },
    { name: "without the range", content: { type: "programPromise", programPromiseOptions: { range: false } }, status: "pass" },
    {
      name: "a length of its own, before a schedule is chosen",
      content: { type: "programPromise", programPromiseOptions: { months: 12 } },
      state: { schedule: undefined, studySchedule: undefined, programEndDate: undefined, days: [] },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no months", content: { type: "programPromise", programPromiseOptions: { months: 0 } } },
    { name: "a word for the range", content: { type: "programPromise", programPromiseOptions: { range: "yes" } } },
  ],
};
