/**
 * The contents of later questions, and of questions that need blocks outside the main bundle. They load in a separate module, together
 * with those blocks. Until then the browser has only their types and requirements, which is all that the engine reads.
 */
import { isBundled } from "#blocks/bundled.ts";
import type { ContentItem, Question, Questionnaire } from "#core/questionnaire/definition.ts";

/** The module with the other blocks, by its key in the build's manifest. */
export const otherBlocksSource = "src/web/pages/questionnaire/question/otherBlocks.ts";

/** Question id → its contents. */
export type LaterContents = Readonly<Record<number, readonly ContentItem[]>>;

/** The number of questions, in the definition's order, whose contents come with the page. */
const firstQuestions = 5;

/** Whether a question needs the later contents and the other blocks. */
export function waitsForMore({ questions }: Pick<Questionnaire, "questions">, question: Question): boolean {
  return questions.indexOf(question) >= firstQuestions || question.contents.some(({ type }) => !isBundled(type));
}

export function laterContents({ questions, embeddedQuestion }: Questionnaire): LaterContents {
  // The home page shows the embedded question at once.
  const later = questions.filter((question) => question.id !== embeddedQuestion && waitsForMore({ questions }, question));
  return Object.fromEntries(later.map(({ id, contents }) => [id, contents]));
}

function outline({ type, requirements }: ContentItem): ContentItem {
  return { type, ...(requirements && { requirements }) };
}

export function withoutLaterContents(definition: Questionnaire): Questionnaire {
  const later = laterContents(definition);
  const questions = definition.questions.map((question) =>
    later[question.id] === undefined ? question : { ...question, contents: question.contents.map(outline) },
  );
  return { ...definition, questions };
}

export function withLaterContents(definition: Questionnaire, later: LaterContents): Questionnaire {
  const questions = definition.questions.map((question) => ({ ...question, contents: [...(later[question.id] ?? question.contents)] }));
  return { ...definition, questions };
}

const whole = new WeakMap<object, ContentItem>();

/** Registers the loaded contents for `wholeContent`. */
export function takeLaterContents({ questions }: Questionnaire, later: LaterContents): void {
  for (const { id, contents } of questions)
    for (const [index, item] of (later[id] ?? []).entries()) whole.set(contents[index] ?? item, item);
}

export function wholeContent<Item extends { readonly type: string }>(item: Item): Item | ContentItem {
  return whole.get(item) ?? item;
}
