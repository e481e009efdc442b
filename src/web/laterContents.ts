/**
 * Later questions, and questions that need blocks outside the main bundle, load in a separate module together with those blocks. Until then
 * the browser has an outline of them: what the engine reads.
 */
import { isBundled } from "#blocks/bundled.ts";
import type { ContentItem, Option, Question, Questionnaire, StudySchedule } from "#core/questionnaire/definition.ts";

/** The module with the other blocks, by its key in the build's manifest. */
export const otherBlocksSource = "src/web/pages/questionnaire/question/otherBlocks.ts";

/** What the outline lacks, whole. */
export type LaterContents = Pick<Questionnaire, "questions" | "schedules" | "productConfigurations">;

/** The number of questions, in the definition's order, whose contents come with the page. */
const firstQuestions = 5;

/** Whether a question needs the later contents and the other blocks. */
export function waitsForMore({ questions }: Pick<Questionnaire, "questions">, question: Question): boolean {
  return questions.indexOf(question) >= firstQuestions || question.contents.some(({ type }) => !isBundled(type));
}

export function laterContents({ questions, embeddedQuestion, schedules, productConfigurations }: Questionnaire): LaterContents {
  // The home page shows the embedded question at once.
  const later = questions.filter((question) => question.id !== embeddedQuestion && waitsForMore({ questions }, question));
  return { questions: later, schedules, productConfigurations };
}

/** The engine's part of a question. */
function questionOutline({ id, weight, type, contents, options, followUps }: Question) {
  return { id, weight, type, contents: contents.map(contentOutline), options: options.map(optionOutline), followUps };
}

function contentOutline({ type, requirements }: ContentItem) {
  return { type, requirements };
}

function optionOutline({ id, type, requirements, followUpQuestion, meta }: Option) {
  return { id, type, requirements, followUpQuestion, meta };
}

function scheduleOutline({ id, months, monthsFrom, practiseDaysPerWeek, minutesPerSession, variants, followUpQuestion }: StudySchedule) {
  return { id, months, monthsFrom, practiseDaysPerWeek, minutesPerSession, variants, followUpQuestion };
}

/** The definition without its later contents. Typed as a whole one, because nothing reads the missing parts before `takeLaterContents`. */
export function withoutLaterContents(definition: Questionnaire): Questionnaire {
  const later = new Set(laterContents(definition).questions);
  const outline = {
    ...definition,
    questions: definition.questions.map((question) => (later.has(question) ? questionOutline(question) : question)),
    schedules: definition.schedules.map(scheduleOutline),
    productConfigurations: [],
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return outline as unknown as Questionnaire;
}

/** Completes the outline in place, because the compiled questionnaire refers to its questions, contents and options. */
export function takeLaterContents(definition: Questionnaire, later: LaterContents): Questionnaire {
  for (const whole of later.questions) {
    const question = definition.questions.find(({ id }) => id === whole.id);
    if (question === undefined) continue;
    const contents = completed(question.contents, whole.contents);
    const options = completed(question.options, whole.options);
    Object.assign(question, whole, { contents, options });
  }
  completed(definition.schedules, later.schedules);
  return Object.assign(definition, { productConfigurations: later.productConfigurations });
}

function completed<Part extends object>(outlines: Part[], wholes: readonly Part[]): Part[] {
  for (const [index, outline] of outlines.entries()) Object.assign(outline, wholes[index]);
  return outlines;
}
