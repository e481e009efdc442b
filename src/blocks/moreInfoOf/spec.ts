import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { choiceList, choiceListTexts, validateChoiceList } from "../choiceList.spec.ts";

export const spec = blockSpec({
  type: "moreInfoOf",
  schema: v.strictObject({ type: v.literal("moreInfoOf"), ...choiceList.entries }),
  validate: validateChoiceList,
  uiTexts: choiceListTexts,
});
