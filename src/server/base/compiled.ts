import { compile, type CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";

const compiledOnes = new WeakMap<Questionnaire, CompiledQuestionnaire>();

/** The compiled questionnaire, cached per definition. */
export function compiledOf(questionnaire: Questionnaire): CompiledQuestionnaire {
  const known = compiledOnes.get(questionnaire);
  if (known) return known;
  const compiled = compile(questionnaire);
  compiledOnes.set(questionnaire, compiled);
  return compiled;
}
