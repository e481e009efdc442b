/** Screens and options in words for operators. Values that differ by visitor are named in brackets: "Hello, [first name]". */
import { headingOf, wordsOf } from "#content/questionnaires/review/words.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import type { Placeholder } from "#core/questionnaire/placeholders.ts";
import type { Text } from "#core/text.ts";

/** Names for placeholders whose own name is not plain. */
const plainer: Readonly<Partial<Record<Placeholder, string>>> = {
  FIRSTNAME: "first name",
  EMAIL: "e-mail address",
  INITIAL_LEVEL: "level",
  INITIAL_LEVEL_TEXT: "what the level means",
  SUBSCRIPTION_FEE: "price",
  SUBSCRIPTION_FEE_DISCOUNT_50: "half the price",
  SUBSCRIPTION_TOTAL_FEE: "total price",
  ME_MONTHS: "months",
  ME_FEE: "price",
  ME_FEE_PER_MONTH: "price per month",
  ME_FEE_PER_WEEK: "price per week",
  ME_DISCOUNT_PERCENTAGE: "discount",
  ME_TOTAL_FEE: "total price",
};

function named(placeholder: string): string {
  const known: Readonly<Record<string, string>> = plainer;
  return `[${known[placeholder] ?? placeholder.toLowerCase().replaceAll("_", " ")}]`;
}

export const titleOf = (question: Question): string => headingOf(question, named);

export const optionWords = (description: Text, id: number): string => wordsOf(description, named) || `Option ${id}`;
