import { type Locale, locales } from "../../locales.ts";
import type { Questionnaire } from "../definition.ts";
import { type Finding, reporter } from "./findings.ts";
import { placeholdersIn } from "./placeholdersIn.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Findings between the locales of a version and the outside: every locale is there, says something everywhere, uses the
 * same placeholders and the same structure as the first; pictures, videos, products and coupon exist.
 */
export function checkContents(
  definitions: Readonly<Partial<Record<Locale, Questionnaire>>>,
  surroundings: Surroundings = {},
): readonly Finding[] {
  const report = reporter();
  const first = locales.flatMap((locale) => definitions[locale] ?? [])[0];
  if (first === undefined) return [];
  const shape = JSON.stringify(structureOf(first));
  for (const locale of locales) {
    const definition = definitions[locale];
    if (definition === undefined) {
      report.fault("missingLocale", `There is no ${locale}.`);
      continue;
    }
    if (JSON.stringify(structureOf(definition)) !== shape)
      report.fault("differentStructure", `${locale} does not have the same questions, options and rules as the other locales.`);
    for (const where of emptyTextsIn(definition.levels, "levels")) report.fault("emptyText", `${locale}: an empty text (${where}).`);
    for (const name of placeholdersIn(definition.levels))
      report.fault("unknownPlaceholder", `${locale}: a level says {${name}}; levels fill placeholders and have none.`);
    for (const [index, question] of definition.questions.entries()) {
      const place = { question: question.id };
      const other = first.questions[index];
      for (const where of emptyTextsIn(question))
        report.fault("emptyText", `${locale}: question ${question.id} has an empty text (${where}).`, place);
      const ours = factsIn(question);
      const theirs = factsIn(other);
      if (ours !== theirs)
        report.fault(
          "differentPlaceholders",
          `${locale}: question ${question.id} uses ${ours || "no placeholders"}, the other locales ${theirs || "none"}.`,
          place,
        );
    }
    for (const [name, question] of namesIn(definition))
      if (surroundings.hasPicture?.(name, locale) === false)
        report.fault("missingPicture", `${locale}: there is no picture "${name}".`, { question });
    for (const question of definition.questions) {
      for (const { video } of question.contents) {
        if (typeof video !== "object" || video === null || !("filename" in video) || !("extension" in video)) continue;
        const [filename, extension] = [String(video.filename), String(video.extension)];
        if (surroundings.hasVideo?.(filename, extension, locale) === false)
          report.fault("missingVideo", `${locale}: there is no video "${filename}.${extension}".`, { question: question.id });
      }
    }
  }
  for (const { productType, productPlan, currency } of first.productConfigurations) {
    if (surroundings.hasProduct?.(productType, productPlan, currency) !== false) continue;
    const money = currency === undefined ? "" : ` in ${currency}`;
    report.fault("missingProduct", `The catalogue has no ${productType} of ${productPlan}${money}.`);
  }
  if (first.coupon !== undefined && surroundings.hasCoupon?.(first.coupon.code) === false)
    report.fault("missingCoupon", `There is no coupon ${first.coupon.code}.`);
  return report.findings();
}

/** What the placeholders of a question tell; whether by name, key, sentence or long date is each language's own affair. */
function factsIn(question: unknown): string {
  return [...new Set([...placeholdersIn(question)].map((name) => name.replace(/_(KEY|TEXT|LONG)$/, "")))].toSorted().join(", ");
}

/** Fields that hold a picture's name, wherever they stand. */
const pictureFields: readonly string[] = ["image", "media", "picture", "figure"];

function namesIn(definition: Questionnaire): ReadonlyMap<string, number | undefined> {
  const names = new Map<string, number | undefined>();
  const look = (data: unknown, question: number | undefined) => {
    if (typeof data !== "object" || data === null) return;
    for (const [field, value] of Object.entries(data)) {
      if (pictureFields.includes(field) && typeof value === "string") {
        if (!names.has(value)) names.set(value, question);
      } else look(value, question);
    }
  };
  for (const question of definition.questions) look(question, question.id);
  look(definition.schedules, undefined);
  return names;
}

/** Where a text field is empty: "options.0.description". */
function emptyTextsIn(data: unknown, path = ""): readonly string[] {
  // Right for a picture that only decorates, and for the corner of a table.
  if (/\.alt$|\.columns\.\d+\.content$/.test(path)) return [];
  if (data === "" || (Array.isArray(data) && data.length === 0 && /(text|description|title|label|content)$/i.test(path))) return [path];
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) => emptyTextsIn(value, path === "" ? field : `${path}.${field}`));
}

/** A definition without its words. */
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

/** Whether two locales of a version can share one proof: the same structure and the same placeholders. */
export function sharesProof(one: Questionnaire, other: Questionnaire): boolean {
  const outline = (definition: Questionnaire) =>
    JSON.stringify([
      structureOf(definition),
      definition.questions.map((question) => [...placeholdersIn(question)].toSorted()),
      [...placeholdersIn([definition.schedules, definition.productConfigurations])].toSorted(),
    ]);
  return outline(one) === outline(other);
}
