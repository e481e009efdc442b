/** How the visitor prefers to pay. */
import type { ProductType } from "../products.ts";
import { type CompiledQuestionnaire, optionOf } from "./compile.ts";
import type { State } from "./state.ts";

/** The kind of product that the visitor's answers prefer; null if no question asked. */
export function wishedProductType(
  compiled: CompiledQuestionnaire,
  { selectedOptions }: Pick<State, "selectedOptions">,
): ProductType | null {
  for (const { questionId, optionId } of selectedOptions) {
    const question = compiled.question(questionId);
    const wished = question && optionOf(question, optionId)?.meta?.productType;
    if (wished !== undefined) return wished;
  }
  return null;
}
