import { iconName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textOrEmpty, textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const cellSchema = v.variant("type", [
  v.strictObject({ type: v.picklist(["title", "text"]), content: textSchema }),
  /** `content` replaces the "yes" or "no" for screen readers and is shown beside the mark. */
  v.strictObject({ type: v.picklist(["positive-icon", "negative-icon"]), content: v.optional(textSchema) }),
]);

const schema = v.pipe(
  v.strictObject({
    type: v.literal("table"),
    requirements: v.optional(ruleGroupSchema),
    caption: v.optional(textSchema),
    columns: v.pipe(
      v.array(
        v.strictObject({
          /** The first `title` is the column of row names. A later `title` is our own column, which is highlighted. `text` is any other column. */
          type: v.picklist(["title", "text"]),
          content: textOrEmpty,
          align: v.optional(v.picklist(["start", "center", "end"])),
          /** Share of the width in percent. */
          width: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(100))),
          small: v.optional(v.boolean()),
          icon: v.optional(iconName),
        }),
      ),
      v.minLength(1),
    ),
    rows: v.pipe(v.array(v.array(cellSchema)), v.minLength(1)),
  }),
  v.check(({ columns, rows }) => rows.every((row) => row.length === columns.length), "Every row must have one cell per column"),
);
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "table", schema, validate: () => "pass", uiTexts: ["block.table.yes", "block.table.no"] });
