import type { ListField } from "#core/questionnaire/state.ts";
import type * as v from "valibot";
import type { BlockExamples } from "./block.ts";
import type { choiceList } from "./choiceList.spec.ts";

type Input = v.InferInput<typeof choiceList>;

/** `chosen`: the ids of two items. */
export function choiceListExamples<const Type extends ListField>(
  type: Type,
  items: Input["items"],
  chosen: readonly [string, string],
  inGerman: Input["items"],
): BlockExamples<{ readonly type: Type } & Input> {
  const content = { type, items };
  return {
    valid: [
      { name: "nothing chosen yet", content, status: "fail" },
      { name: "two chosen", content, state: { [type]: chosen }, status: "pass" },
      {
        name: "a hint of its own, in German",
        locale: "de-DE",
        content: { type, hint: "Wähle alles aus, was zutrifft", items: inGerman },
        status: "fail",
      },
      { name: "what was chosen is not offered any more", content, state: { [type]: ["retired"] }, status: "fail" },
    ],
    invalid: [
      { name: "nothing to choose", content: { type, items: [] } },
      { name: "an item without an id", content: { type, items: [{ text: "Algo" }] } },
    ],
  };
}
