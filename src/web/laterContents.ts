/**
 * The contents of questions that are not among the first, or that need other blocks than those have. They travel in a module of their
 * own, beside those blocks: until then a browser knows each of them by its type and requirements, which is all that the engine reads.
 */
import { isBundled } from "#blocks/bundled.ts";
import type { ContentItem, Question, Questionnaire } from "#core/questionnaire/definition.ts";

/** Where the other blocks come from, as the build's manifest calls it. */
export const otherBlocksSource = "src/web/pages/questionnaire/question/otherBlocks.ts";

/** Question id → its contents. */
export type LaterContents = Readonly<Record<number, readonly ContentItem[]>>;

/** So many questions, in the definition's order, show their contents as soon as the page has come. */
const firstQuestions = 5;

/** Whether a question waits for the other blocks, and the contents that come with them. */
export function waitsForMore({ questions }: Pick<Questionnaire, "questions">, question: Question): boolean {
  return questions.indexOf(question) >= firstQuestions || question.contents.some(({ type }) => !isBundled(type));
}

export function laterContents({ questions, embeddedQuestion }: Questionnaire): LaterContents {
  // The home page shows the embedded question, without waiting.
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

/** Makes `wholeContent` give the contents that have come. */
export function takeLaterContents({ questions }: Questionnaire, later: LaterContents): void {
  for (const { id, contents } of questions)
    for (const [index, item] of (later[id] ?? []).entries()) whole.set(contents[index] ?? item, item);
}

export function wholeContent<Item extends { readonly type: string }>(item: Item): Item | ContentItem {
  return whole.get(item) ?? item;
}
