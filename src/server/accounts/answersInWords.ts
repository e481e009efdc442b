/** A saved questionnaire's questions and answers in words, as the person read them. */
import { formatsFor } from "#core/formats.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import type { ContentItem, Question } from "#core/questionnaire/definition.ts";
import { shownValues } from "#core/questionnaire/placeholders.ts";
import { visibleContents } from "#core/questionnaire/requirements.ts";
import { mergeState } from "#core/questionnaire/saved.ts";
import { stateSchema } from "#core/questionnaire/state.ts";
import { parseSavedState } from "#core/questionnaire/storedState.ts";
import { plainText, type Text, type TextValues } from "#core/text.ts";
import * as v from "valibot";
import type { Questionnaires } from "../base/questionnaires.ts";
import { compiledOf } from "../base/compiled.ts";
import type { Releases } from "../releases/releases.ts";

export interface QuestionnairesOfStates {
  readonly questionnaires: Questionnaires;
  readonly releases: Pick<Releases, "questionnaireFor">;
}

interface SavedQuestionnaire {
  readonly version: string;
  readonly state: string;
  readonly saved_at: number;
}

const answersSchema = v.object({ release: stateSchema.entries.release, selectedOptions: stateSchema.entries.selectedOptions });

/** Questions and answers in the account's language. An answer that the version no longer asks for stays a number in the state. */
export async function answersInWords(saved: SavedQuestionnaire, locale: Locale, { questionnaires, releases }: QuestionnairesOfStates) {
  const kept = v.safeParse(answersSchema, JSON.parse(saved.state));
  if (!kept.success || !questionnaires.versions.includes(saved.version)) return [];
  const questionnaire = await releases.questionnaireFor({ id: saved.version, release: kept.output.release }, locale);
  const { contentsOf, values } = shownTo(saved, locale, questionnaire);
  const words = (text: unknown) => (isText(text) ? plainText(text, values, localeTraits[locale].intl) : null);
  return kept.output.selectedOptions.flatMap(({ questionId, optionId }) => {
    const question = questionnaire.questions.find(({ id }) => id === questionId);
    const option = question?.options.find(({ id }) => id === optionId);
    if (question === undefined || option === undefined) return [];
    const shown = contentsOf(question);
    const title = words(textOf(shown.find(isTitle) ?? question.contents.find(isTitle)));
    // Every sentence of the level test has the same title.
    const sentence = question.type === "LevelQuestion" ? words(textOf(shown.find(isSentence))) : null;
    return [{ question: sentence === null ? title : [`“${sentence}”`, title].join(" "), answer: words(option.description) }];
  });
}

const isTitle = ({ type }: { readonly type: string }) => type === "title" || type === "title-sparkle";
const isSentence = ({ type }: { readonly type: string }) => type === "bubble";
const textOf = (item: ContentItem | undefined): unknown => (item !== undefined && "text" in item ? item["text"] : null);
const isText = (value: unknown): value is Text => typeof value === "string" || Array.isArray(value);

/** What these answers showed: some titles differ by earlier answers, and many name the level or the plan. */
function shownTo(
  { state: json, saved_at }: SavedQuestionnaire,
  locale: Locale,
  questionnaire: Awaited<ReturnType<Releases["questionnaireFor"]>>,
): { readonly contentsOf: (question: Question) => readonly ContentItem[]; readonly values: TextValues } {
  const saved = parseSavedState(JSON.parse(json));
  if (saved === null) return { contentsOf: ({ contents }) => contents, values: {} };
  const compiled = compiledOf(questionnaire);
  const state = mergeState(compiled, saved);
  // Country and device are not saved with the answers.
  const context = { locale, country: "ZZ", platform: "other", requiresMarketingConsent: false, today: dayIn(saved_at, "UTC") } as const;
  return {
    contentsOf: (question) => visibleContents(compiled, question, state, context),
    values: shownValues({ compiled, state, context, formats: formatsFor(locale) }),
  };
}
