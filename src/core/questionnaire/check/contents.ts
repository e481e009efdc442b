import { type Locale, locales } from "../../locales.ts";
import type { Questionnaire } from "../definition.ts";
import { type Finding, reporter } from "./findings.ts";
import { placeholdersIn } from "./placeholdersIn.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Compares the locales of a version with each other and with the surroundings: no locale is missing or has empty texts, all have the structure and
 * placeholders of the first one, and all pictures, videos, products and the coupon exist.
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
      report.fault("missingLocale", `There is no ${locale}.`, { locale });
      continue;
    }
    if (JSON.stringify(structureOf(definition)) !== shape)
      report.fault("differentStructure", "not the same questions, options and rules as the other locales.", { locale });
    const { levels, schedules, productConfigurations } = definition;
    for (const [field, data] of Object.entries({ levels, schedules, productConfigurations }))
      for (const where of emptyTextsIn(data, field)) report.fault("emptyText", `an empty text (${where}).`, { locale });
    for (const name of placeholdersIn(levels))
      report.fault("unknownPlaceholder", `a level says {${name}}; levels fill placeholders and have none.`, { locale });
    for (const question of definition.questions) {
      const place = { question: question.id, locale };
      for (const where of emptyTextsIn(question)) report.fault("emptyText", `question ${question.id} has an empty text (${where}).`, place);
      const ours = factsIn(question);
      const theirs = mostCommon(
        all.flatMap(({ questions }) =>
          questions
            .filter(({ id }) => id === question.id)
            .slice(0, 1)
            .map(factsIn),
        ),
      );
      if (ours !== theirs)
        report.fault(
          "differentPlaceholders",
          `question ${question.id} uses ${ours || "no placeholders"}, the other locales ${theirs || "none"}.`,
          place,
        );
    }
    for (const [name, question] of namesIn(definition, pictureFields))
      if (surroundings.hasPicture?.(name, locale) === false)
        report.fault("missingPicture", `there is no picture "${name}".`, { question, locale });
    for (const [name, question] of namesIn(definition, iconFields))
      if (surroundings.hasIcon?.(name) === false) report.fault("missingIcon", `there is no icon "${name}".`, { question, locale });
    for (const question of definition.questions) {
      for (const { video } of question.contents) {
        if (typeof video !== "object" || video === null || !("filename" in video) || !("extension" in video)) continue;
        const [filename, extension] = [String(video.filename), String(video.extension)];
        if (surroundings.hasVideo?.(filename, extension, locale) === false)
          report.fault("missingVideo", `there is no video "${filename}.${extension}".`, { question: question.id, locale });
      }
    }
  }
  checkProducts(first, surroundings, report);
  if (first.coupon !== undefined && surroundings.hasCoupon?.(first.coupon.code) === false)
    report.fault("missingCoupon", `There is no coupon ${first.coupon.code}.`);
  return report.findings();
}

/** Every offered product has a price in the currency of every visitor that it is offered to, and every visitor is offered a product. */
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

/** The facts that a question's placeholders state. Languages may use different forms: the name, key, sentence or long date of the same fact. */
function factsIn(question: unknown): string {
  return [...new Set([...placeholdersIn(question)].map((name) => name.replace(/_(KEY|TEXT|LONG)$/, "")))].toSorted().join(", ");
}

/** Fields that hold the name of a picture, in any block. */
const pictureFields: readonly string[] = ["image", "media", "picture", "figure"];
const iconFields: readonly string[] = ["icon"];

function namesIn(definition: Questionnaire, fields: readonly string[]): ReadonlyMap<string, number | undefined> {
  const names = new Map<string, number | undefined>();
  const look = (data: unknown, question: number | undefined) => {
    if (typeof data !== "object" || data === null) return;
    for (const [field, value] of Object.entries(data)) {
      if (fields.includes(field) && typeof value === "string") {
        if (!names.has(value)) names.set(value, question);
      } else look(value, question);
    }
  };
  for (const question of definition.questions) look(question, question.id);
  look(definition.schedules, undefined);
  return names;
}

const isBlank = (data: unknown) => typeof data === "string" && /^[\s\u200B\u2060]*$/.test(data);

/** Paths of text fields that are empty or blank: "options.0.description". */
function emptyTextsIn(data: unknown, path = ""): readonly string[] {
  // An empty text is valid for a decorative picture's alt and for the corner of a table.
  if (/\.alt$|\.columns\.\d+\.content$/.test(path)) return [];
  if (
    isBlank(data) ||
    (Array.isArray(data) && data.length > 0 && data.every(isBlank)) ||
    (Array.isArray(data) && data.length === 0 && /(text|description|title|label|content)$/i.test(path))
  )
    return [path];
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) =>
    // Inside a text, a space between two placeholders is valid.
    Array.isArray(data) && value !== "" && isBlank(value) ? [] : emptyTextsIn(value, path === "" ? field : `${path}.${field}`),
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
