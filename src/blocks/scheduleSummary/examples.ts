import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "days chosen", content: { type: "scheduleSummary" }, status: "pass" },
    {
      name: "no days yet",
      content: { type: "scheduleSummary" },
      state: {
        days: [],
        schedule: 3,
        studySchedule: { id: 3, months: 3, practiseDaysPerWeek: 5, minutesPerSession: 30 },
        programEndDate: "2027-02-19",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "a field", content: { type: "scheduleSummary", text: "Tu plan" } }],
};
