import { type ContentItem, ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { defaultDays, requiredDays } from "#core/questionnaire/schedule.ts";

/** The choice of practice days (spec 001 §3, §4). */
const schema = v.strictObject({
  type: v.literal("daySelection"),
  requirements: v.optional(ruleGroupSchema),
  daySelectionOptions: v.optional(
    v.strictObject({
      /** How many days to choose, five by default (spec 001 §9); "schedule": as many as the chosen schedule has. */
      days: v.optional(v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)), v.literal("schedule")]), defaultDays),
      /** May use CHOSEN, REQUIRED and LEFT besides the visitor's placeholders. */
      textInProgress: v.optional(textSchema),
      textDone: v.optional(textSchema),
    }),
    {},
  ),
});
export type Content = v.InferOutput<typeof schema>;

/** Whether this is a day selection whose number of days comes from the chosen schedule. */
export function takesDaysFromSchedule({ type, daySelectionOptions: options }: ContentItem): boolean {
  return type === "daySelection" && typeof options === "object" && options !== null && "days" in options && options.days === "schedule";
}

export const spec = blockSpec({
  type: "daySelection",
  schema,
  validate: ({ daySelectionOptions }, { state }) => (state.days.length < requiredDays(daySelectionOptions.days, state) ? "fail" : "pass"),
  uiTexts: [
    "block.daySelection.label",
    "block.daySelection.count",
    "block.daySelection.limit",
    "block.daySelection.inProgress",
    "block.daySelection.done",
  ],
});
