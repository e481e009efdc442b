/** A questionnaire as the build writes it for browsers: a module of its own for each version and locale. */
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import * as v from "valibot";

/** Our own build writes these modules from checked contents; that it is one of them is all there is left to see. */
const questionnaireModule = v.object({
  default: v.custom<Questionnaire>((value) => typeof value === "object" && value !== null && "questions" in value),
});

export async function loadQuestionnaire(url: string): Promise<Questionnaire> {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(questionnaireModule, module).default;
}
