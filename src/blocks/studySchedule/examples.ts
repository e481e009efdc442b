import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "chosen", content: { type: "studySchedule" }, status: "pass" },
    { name: "none chosen", content: { type: "studySchedule" }, state: { schedule: undefined, studySchedule: undefined }, status: "fail" },
    { name: "low cards", content: { type: "studySchedule", studyScheduleOptions: { mini: true } }, status: "pass" },
  ],
  invalid: [{ name: "an unknown option", content: { type: "studySchedule", studyScheduleOptions: { large: true } } }],
};
