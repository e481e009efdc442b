/** A questionnaire as the build writes it for browsers: two modules for each version and locale (`build/contentSource.ts`). */
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import type { LaterContents } from "./laterContents.ts";

/** Our own build writes these modules from checked contents; that it is one of them is all there is left to see. */
const questionnaireModule = v.object({
  default: v.custom<Questionnaire>((value) => typeof value === "object" && value !== null && "questions" in value),
});

const laterContentsModule = v.object({ default: v.custom<LaterContents>((value) => typeof value === "object" && value !== null) });

/** Its later contents are outlines until they are taken (`laterContents.ts`). */
export async function loadQuestionnaire(url: string): Promise<Questionnaire> {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(questionnaireModule, module).default;
}

export async function loadLaterContents(url: string): Promise<LaterContents> {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(laterContentsModule, module).default;
}
