import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/text.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Points, with icons or numbers. */
const schema = v.strictObject({
  type: v.literal("list"),
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(
    v.array(
      v.strictObject({
        text: textSchema,
        /** A quiet second line. */
        detail: v.optional(textSchema),
        /** Name of an icon (`#ui/Icon.tsx`); a tick without it. */
        icon: v.optional(v.string()),
      }),
    ),
    v.minLength(1),
  ),
  /** Numbered; icons are then not shown. */
  ordered: v.optional(v.boolean(), false),
  /** One line a point, close together, on a ground of its own: to look back at, not to read first. */
  compact: v.optional(v.boolean(), false),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "list",
  schema,
  validate: () => "pass",
});
