/** A questionnaire in readable form for operators: texts with visible placeholders, rules as clauses. */
import { isTitle } from "#blocks/bundled.ts";
import { blockSchema } from "#blocks/specs.ts";
import { marked } from "#core/marks.ts";
import type { ContentItem, Question, Rule, RuleGroup } from "#core/questionnaire/definition.ts";
import type { Text, TextNode } from "#core/text.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";

/** How a placeholder is shown. */
type Naming = (placeholder: string) => string;
const inBraces: Naming = (placeholder) => `{${placeholder}}`;

/** "Your {MONTHS} months": plurals and selects show their general case. */
export function wordsOf(text: Text, named: Naming = inBraces): string {
  return typeof text === "string" ? text : nodesInWords(text, "", named);
}

function nodesInWords(nodes: readonly TextNode[], count: string, named: Naming): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      switch (node[0]) {
        case "arg":
          return named(node[1]);
        case "count":
          return count;
        case "plural":
          return nodesInWords(node[3]["other"] ?? [], named(node[1]), named);
        case "select":
          return nodesInWords(node[2]["other"] ?? Object.values(node[2])[0] ?? [], count, named);
        case "tag":
          return nodesInWords(node[2], count, named);
      }
    })
    .join("");
}

/** A question's name: its title, its large sentence, or its first block. */
export function headingOf(question: Question, named: Naming = inBraces): string {
  const mainTextOf = (item: ContentItem | undefined) => item && textsIn(item).find(({ path }) => path.length === 0)?.text;
  const sentence = question.type === "LevelQuestion" ? question.contents.find((item) => item.type === "bubble") : undefined;
  const titled = question.contents.find(isTitle) ?? question.contents.find((item) => mainTextOf(item) !== undefined);
  const text = mainTextOf(sentence) ?? mainTextOf(titled);
  return text === undefined ? (question.contents[0]?.type ?? "(empty)") : wordsOf(text, named);
}

/** All texts of a question by position: "title", "option 2", "list item 3". */
export function textsOf(question: Question): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (where: string, text: Text | undefined) => {
    if (text !== undefined && text !== "") found.set(where, wordsOf(text));
  };
  add("eyebrow", question.eyebrow?.text);
  for (const [index, item] of question.contents.entries()) {
    const isFirst = question.contents.findIndex((other) => other.type === item.type) === index;
    for (const { path, text } of textsIn(item)) add([isFirst ? item.type : `${item.type} (block ${index + 1})`, ...path].join(" "), text);
  }
  for (const option of question.options) {
    add(`option ${option.id}`, option.description);
    add(`option ${option.id}, second line`, option.detail);
    add(`option ${option.id}, reward`, option.reward?.title);
    add(`option ${option.id}, reward text`, option.reward?.text);
  }
  add("footnote", question.footnote);
  return found;
}

/** A block's texts, each with its path in the block: `[]` for the main text, `[2]` for the text of the second item, `["hint"]`. */
function textsIn(item: ContentItem): readonly { readonly path: readonly (string | number)[]; readonly text: Text }[] {
  const schema = blockSchema(item.type);
  if (schema === undefined) return [];
  return marked(schema, item).flatMap(({ mark, value, path }) =>
    mark === "text" && v.is(textSchema, value)
      ? [
          {
            text: value,
            path: path.flatMap((step) => (typeof step === "number" ? step + 1 : step === "text" || step === "items" ? [] : step)),
          },
        ]
      : [],
  );
}

/** "country is BR or AR, and the platform is apple" */
export function rulesInWords(group: RuleGroup | undefined): string {
  if (group === undefined || group.rules.length === 0) return "always";
  return group.rules
    .map((rule) => ("rules" in rule ? `(${rulesInWords(rule)})` : ruleInWords(rule)))
    .join(group.type === "and" ? " and " : " or ");
}

function ruleInWords(rule: Rule): string {
  const list = (values: string | readonly string[]) => (typeof values === "string" ? values : values.join(" or "));
  const parts = [
    rule.questionId !== undefined &&
      (rule.optionId === undefined
        ? `question ${rule.questionId} was answered`
        : `question ${rule.questionId} was answered with ${rule.optionId}`),
    rule.days !== undefined && (rule.days === "on" ? "days were chosen" : "no days were chosen"),
    rule.schedule !== undefined && `schedule ${rule.schedule} was chosen`,
    rule.countryIs !== undefined && `the country is ${list(rule.countryIs)}`,
    rule.countryIsNot !== undefined && `the country is not ${list(rule.countryIsNot)}`,
    rule.localeIs !== undefined && `the locale is ${list(rule.localeIs)}`,
    rule.lastLevelQuestion !== undefined && `the last level question was ${rule.lastLevelQuestion}`,
    rule.platform !== undefined && `the platform is ${rule.platform}`,
    rule.requiresMarketingConsent !== undefined &&
      (rule.requiresMarketingConsent === "on" ? "marketing consent is required" : "no marketing consent is required"),
  ].filter((part) => part !== false);
  return parts.length === 0 ? "always" : parts.join(" and ");
}
