import { iconName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { type ListField, listField, type State } from "#core/questionnaire/state.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** List items with icons or numbers. */
const schema = v.strictObject({
  type: v.literal("list"),
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(
    v.array(
      v.strictObject({
        text: textSchema,
        /** A second line in smaller type. */
        detail: v.optional(textSchema),
        /** Name of an icon (`#ui/Icon.tsx`); the default is a tick. */
        icon: v.optional(iconName),
        /** Shown only to a visitor who chose this item of an earlier list. */
        chosen: v.optional(v.strictObject({ list: listField, item: v.string() })),
      }),
    ),
    v.minLength(1),
  ),
  /** Numbered, without icons. */
  ordered: v.optional(v.boolean(), false),
  /** A dense list on its own background, one line per item: for looking things up. */
  compact: v.optional(v.boolean(), false),
});
export type Content = v.InferOutput<typeof schema>;

/** The items for this visitor. A visitor who chose none of them, or whose choice the server does not know, sees all. */
export function itemsFor({ items }: Content, state: Pick<State, ListField>): Content["items"] {
  const own = items.filter(({ chosen }) => chosen === undefined || state[chosen.list].includes(chosen.item));
  return own.length > 0 ? own : items;
}

export const spec = blockSpec({
  type: "list",
  schema,
  validate: () => "pass",
});
