/** Loads a questionnaire in the browser. The build writes two modules per version and locale (`build/contentSource.ts`). */
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { LaterContents } from "./laterContents.ts";

/** Later questions are outlines until `takeLaterContents` completes them (`laterContents.ts`). */
export async function loadQuestionnaire(url: string): Promise<Questionnaire> {
  return contentOf<Questionnaire>(url);
}

export async function loadLaterContents(url: string): Promise<LaterContents> {
  return contentOf<LaterContents>(url);
}

/** The build validated the contents already, so this checks only that the module has questions. */
async function contentOf<Content extends { readonly questions: unknown }>(url: string): Promise<Content> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const module = (await import(/* @vite-ignore */ url)) as { readonly default?: Content };
  if (module.default?.questions === undefined) throw new Error(`${url} has no questions`);
  return module.default;
}
