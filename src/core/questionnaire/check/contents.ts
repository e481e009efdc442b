import { type Locale, locales } from "../../locales.ts";
import * as v from "valibot";
import { filmName, type Marked, marked } from "../../marks.ts";
import { type Questionnaire, questionnaireSchema, questionSchema } from "../definition.ts";
import { type Finding, reporter } from "./findings.ts";
import { placeholdersIn } from "./placeholdersIn.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Compares the locales of a version with each other and with the surroundings. Reports missing locales, empty texts, structures and placeholders that
 * differ from most locales, and missing pictures, videos, products and coupons.
 */
export function checkContents(
  definitions: Readonly<Partial<Record<Locale, Questionnaire>>>,
  surroundings: Surroundings = {},
): readonly Finding[] {
  const report = reporter();
  const first = locales.flatMap((locale) => definitions[locale] ?? [])[0];
  if (first === undefined) return [];
  const all = Object.values(definitions);
  const shape = mostCommon(all.map((definition) => JSON.stringify(structureOf(definition))));
  for (const locale of locales) {
    const definition = definitions[locale];
    if (definition === undefined) {
      report.fault("missingLocale", `The locale ${locale} is missing.`);
      continue;
    }
    if (JSON.stringify(structureOf(definition)) !== shape)
      report.fault("differentStructure", "the questions, options or rules differ from the other locales.", { locale });
    const { questions, ...own } = definition;
    for (const where of emptyTextsIn(marked(questionnaireSchema, own))) report.fault("emptyText", `an empty text (${where}).`, { locale });
    for (const name of placeholdersIn(definition.levels))
      report.fault("unknownPlaceholder", `a level's text uses {${name}}; level texts cannot contain placeholders.`, { locale });
    for (const question of questions) {
      const place = { question: question.id, locale };
      for (const where of emptyTextsIn(marked(questionSchema, question, surroundings.blockSchema)))
        report.fault("emptyText", `question ${question.id} has an empty text (${where}).`, place);
      const ours = factsIn(question);
      const theirs = mostCommon(all.flatMap(({ questions }) => questions.filter(({ id }) => id === question.id).map(factsIn)));
      if (ours !== theirs)
        report.fault(
          "differentPlaceholders",
          `question ${question.id} uses ${ours || "no placeholders"}, the other locales ${theirs || "none"}.`,
          place,
        );
    }
    checkMedia(definition, locale, surroundings, report);
  }
  checkProducts(first, surroundings, report);
  if (first.coupon !== undefined && surroundings.hasCoupon?.(first.coupon.code) === false)
    report.fault("missingCoupon", `There is no coupon ${first.coupon.code}.`);
  return report.findings();
}

/** Checks that every picture, icon and film exists. A missing picture or icon is reported once, where it is named first. */
function checkMedia(definition: Questionnaire, locale: Locale, surroundings: Surroundings, report: ReturnType<typeof reporter>): void {
  const { questions, ...own } = definition;
  const { blockSchema, hasPicture, hasIcon, hasVideo } = surroundings;
  const reported = new Set<string>();
  const checkName = ({ mark, value }: Marked, question: number | undefined) => {
    const name = String(value);
    const exists = mark === "picture" ? hasPicture?.(name, locale) : hasIcon?.(name);
    if (exists !== false || reported.has(`${mark} ${name}`)) return;
    reported.add(`${mark} ${name}`);
    report.fault(mark === "picture" ? "missingPicture" : "missingIcon", `there is no ${mark} "${name}".`, { question, locale });
  };
  const checkFilm = ({ value }: Marked, question: number | undefined) => {
    const film = v.safeParse(filmName, value);
    if (!film.success) return;
    const { filename, extension } = film.output;
    if (hasVideo?.(filename, extension, locale) === false)
      report.fault("missingVideo", `there is no video "${filename}.${extension}".`, { question, locale });
  };
  const check = (found: readonly Marked[], question: number | undefined) => {
    for (const one of found)
      if (one.mark === "film") checkFilm(one, question);
      else if (one.mark === "picture" || one.mark === "icon") checkName(one, question);
  };
  for (const question of questions) check(marked(questionSchema, question, blockSchema), question.id);
  check(marked(questionnaireSchema, own), undefined);
}

/** Checks that every visitor is offered a product, and that every offered product has a price in the visitor's currency. */
function checkProducts(
  { productConfigurations }: Questionnaire,
  { hasProduct, currencies = [] }: Surroundings,
  report: ReturnType<typeof reporter>,
): void {
  for (const { productType, productPlan, currency } of productConfigurations) {
    const asked = currency === undefined && hasProduct?.(productType, productPlan, undefined) !== false ? currencies : [currency];
    const missing = asked.filter((each) => hasProduct?.(productType, productPlan, each) === false);
    if (missing.length === 0) continue;
    const money = missing.filter((each) => each !== undefined).join(", ");
    report.fault("missingProduct", `The catalogue has no ${productType} of ${productPlan}${money === "" ? "" : ` in ${money}`}.`);
  }
  const unserved = currencies.filter((each) => productConfigurations.every(({ currency }) => currency !== undefined && currency !== each));
  if (productConfigurations.length > 0 && unserved.length > 0)
    report.fault("missingProduct", `No product configuration serves ${unserved.join(", ")}.`);
}

/** The most frequent value; among equals the first. */
function mostCommon(values: readonly string[]): string | undefined {
  const count = (value: string) => values.filter((each) => each === value).length;
  return values.toSorted((one, other) => count(other) - count(one))[0];
}

/**
 * The facts that a question's placeholders state, so that two languages can be compared. One language may use a fact's name where another uses its key, its
 * sentence or its long date; these count as the same fact.
 */
function factsIn(question: unknown): string {
  return [...new Set([...placeholdersIn(question)].map((name) => name.replace(/_(KEY|TEXT|LONG)$/, "")))].toSorted().join(", ");
}

const isBlank = (data: unknown) => typeof data === "string" && /^[\s\u200B\u2060]*$/.test(data);
/** Inside a text, a space between two placeholders is valid. */
const isEmptyText = (data: unknown) => isBlank(data) || (Array.isArray(data) && data.every(isBlank));

/** Paths of texts that are empty or blank: "options.0.description". */
function emptyTextsIn(found: readonly Marked[]): readonly string[] {
  return found.flatMap(({ mark, mayBeEmpty, value, path }) =>
    mark === "text" && !mayBeEmpty && isEmptyText(value) ? [path.join(".")] : [],
  );
}

/** A definition without its texts. */
function structureOf(definition: Questionnaire): unknown {
  return [
    definition.initialQuestion,
    definition.progress,
    definition.schedules.map(({ id, months, practiseDaysPerWeek, minutesPerSession, followUpQuestion }) => [
      id,
      months,
      practiseDaysPerWeek,
      minutesPerSession,
      followUpQuestion,
    ]),
    definition.productConfigurations.map(({ productType, productPlan, currency }) => [productType, productPlan, currency]),
    definition.questions.map(({ id, type, weight, contents, options, followUps }) => [
      id,
      type,
      weight,
      contents.map(({ type: block, requirements }) => [block, requirements]),
      options.map((option) => [option.id, option.type, option.followUpQuestion, option.requirements, option.meta]),
      followUps,
    ]),
  ];
}

/** Whether two locales of a version can share one proof: same structure, same placeholders. */
export function sharesProof(one: Questionnaire, other: Questionnaire): boolean {
  const outline = (definition: Questionnaire) =>
    JSON.stringify([
      structureOf(definition),
      definition.questions.map((question) => [...placeholdersIn(question)].toSorted()),
      [...placeholdersIn([definition.schedules, definition.productConfigurations])].toSorted(),
    ]);
  return outline(one) === outline(other);
}
