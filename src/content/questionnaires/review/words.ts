/** A questionnaire in readable form for operators: texts with visible placeholders, rules as clauses. */
import { isTitle } from "#blocks/contents.ts";
import type { Question, Rule, RuleGroup } from "#core/questionnaire/definition.ts";
import type { Text, TextNode } from "#core/text.ts";

/** "Your {MONTHS} months": plurals and selects show their general case. */
export function wordsOf(text: Text): string {
  return typeof text === "string" ? text : nodesInWords(text, "");
}

function nodesInWords(nodes: readonly TextNode[], count: string): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      switch (node[0]) {
        case "arg":
          return `{${node[1]}}`;
        case "count":
          return count;
        case "plural":
          return nodesInWords(node[3]["other"] ?? [], `{${node[1]}}`);
        case "select":
          return nodesInWords(node[2]["other"] ?? Object.values(node[2])[0] ?? [], count);
        case "tag":
          return nodesInWords(node[2], count);
      }
    })
    .join("");
}

/** The text in a block's own field, whose schema the core does not know; null for other values. */
function textIn(value: unknown): string | null {
  if (typeof value === "string") return value;
  return Array.isArray(value) &&
    value.every(
      (node) => typeof node === "string" || (Array.isArray(node) && ["arg", "count", "plural", "select", "tag"].includes(String(node[0]))),
    )
    ? wordsOf(value)
    : null;
}

/** A question's name: its title, its large sentence, or its first block. */
export function headingOf(question: Question): string {
  const titled = question.contents.find(isTitle) ?? question.contents.find((item) => textIn(item["text"]) !== null);
  const sentence = question.type === "LevelQuestion" ? question.contents.find((item) => item.type === "bubble") : undefined;
  return (sentence && textIn(sentence["text"])) ?? (titled && textIn(titled["text"])) ?? question.contents[0]?.type ?? "(empty)";
}

/** All texts of a question by position: "title", "option 2", "list item 3". */
export function textsOf(question: Question): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (where: string, value: unknown) => {
    const text = textIn(value);
    if (text !== null && text !== "") found.set(where, text);
  };
  const within = (at: string, data: unknown) => {
    if (Array.isArray(data) && textIn(data) === null) for (const [index, each] of data.entries()) within(`${at} ${index + 1}`, each);
    else if (typeof data === "object" && data !== null && !Array.isArray(data)) {
      for (const [field, value] of Object.entries(data))
        if (!["type", "requirements", "icon", "image", "figure", "id"].includes(field))
          within(field === "text" || field === "items" ? at : `${at} ${field}`, value);
    } else add(at, data);
  };
  add("eyebrow", question.eyebrow?.text);
  for (const [index, item] of question.contents.entries())
    within(
      question.contents.findIndex((other) => other.type === item.type) === index ? item.type : `${item.type} (block ${index + 1})`,
      item,
    );
  for (const option of question.options) {
    add(`option ${option.id}`, option.description);
    add(`option ${option.id}, second line`, option.detail);
    add(`option ${option.id}, reward`, option.reward?.title);
    add(`option ${option.id}, reward text`, option.reward?.text);
  }
  add("footnote", question.footnote);
  return found;
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
