import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { choiceList, choiceListTexts, validateChoiceList } from "../choiceList.spec.ts";

export const spec = blockSpec({
  type: "skillsToImprove",
  schema: v.strictObject({ type: v.literal("skillsToImprove"), ...choiceList.entries }),
  validate: validateChoiceList,
  uiTexts: choiceListTexts,
});
