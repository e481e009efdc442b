/** Loads a questionnaire in the browser. The build writes two modules per version and locale (`build/contentSource.ts`). */
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import type { LaterContents } from "./laterContents.ts";

/** The build validated the contents already, so this checks only that the module is a questionnaire. */
const questionnaireModule = v.object({
  default: v.custom<Questionnaire>((value) => typeof value === "object" && value !== null && "questions" in value),
});

const laterContentsModule = v.object({ default: v.custom<LaterContents>((value) => typeof value === "object" && value !== null) });

/** Its later contents are outlines until `takeLaterContents` fills them in (`laterContents.ts`). */
export async function loadQuestionnaire(url: string): Promise<Questionnaire> {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(questionnaireModule, module).default;
}

export async function loadLaterContents(url: string): Promise<LaterContents> {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(laterContentsModule, module).default;
}
