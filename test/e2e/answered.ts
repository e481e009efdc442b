/** Visits that begin in the middle of version 76, by a link that contains the earlier answers. Other tests walk there from the first question. */
import { questionnaireFor } from "#content/questionnaires/index.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico } from "#test/questionnaires.ts";
import { stride } from "#test/walker.ts";
import type { Page } from "@playwright/test";
import type { RunningSite } from "./site.ts";
import { ready } from "./walk.ts";

/** The state of a visitor at the question with this block, reached by first options. */
export function upTo(block: string): State {
  const compiled = compile(questionnaireFor("76", "es-419"));
  let state = initialState(compiled);
  while (!compiled.question(state.currentQuestionId)?.contents.some(({ type }) => type === block)) {
    const next = stride(compiled, state, mexico, { pick: 0, back: false });
    if (next === null) throw new Error(`no way on from question ${state.currentQuestionId}`);
    state = next;
  }
  return state;
}

/** The URL of the question with this block. It contains the earlier answers. */
export function addressOf(block: string, { url }: RunningSite): string {
  const state = upTo(block);
  return `${url}/es-latam/habla-ingles/76/${state.currentQuestionId}/?a=${encodeAnswers(state)}`;
}

/** @param query appended to the URL's query */
export async function openAt(page: Page, block: string, site: RunningSite, query = ""): Promise<void> {
  await page.goto(addressOf(block, site) + query);
  await ready(page);
}
