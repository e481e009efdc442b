/** Describes the changes between two versions for operators. */
import type { Question, Questionnaire } from "#core/questionnaire/definition.ts";
import { edgesOf } from "./drawing.ts";
import { headingOf, rulesInWords, textsOf } from "./words.ts";

/** One line per change; none when only the number differs. */
export function differences(before: Questionnaire, after: Questionnaire): readonly string[] {
  const name = (question: Question) => `${question.id} "${headingOf(question)}"`;
  const idOf = (question: Question | undefined) => question?.id;
  const gone = before.questions.filter((question) => !after.questions.some(({ id }) => id === question.id));
  const fresh = after.questions.filter((question) => !before.questions.some(({ id }) => id === question.id));
  // Follow-ups are compared separately: a moved question usually has other ones.
  const apartFromWays = ({ contents, type, options }: Question) =>
    JSON.stringify([contents, type, options.map((option) => ({ ...option, followUpQuestion: undefined }))]);
  const moved = gone.flatMap((question) => {
    const to = fresh.find((other) => apartFromWays(other) === apartFromWays(question));
    return to === undefined ? [] : [[question, to] as const];
  });
  const kept = after.questions.flatMap((question) => {
    const old = before.questions.find(({ id }) => id === question.id);
    return old === undefined ? [] : [[old, question] as const];
  });
  return [
    ...settings(before, after),
    ...gone.filter((question) => !moved.some(([from]) => from === question)).map((question) => `Removed: ${name(question)}`),
    ...fresh
      .filter((question) => !moved.some(([, to]) => to === question))
      .map((question) => `Added: ${name(question)}, after ${idOf(after.questions[after.questions.indexOf(question) - 1]) ?? "nothing"}`),
    ...moved.map(([from, to]) => `Moved: ${name(from)} is now ${to.id}`),
    ...reordered(
      kept.map(([old]) => old.id),
      kept.toSorted(([a], [b]) => before.questions.indexOf(a) - before.questions.indexOf(b)).map(([old]) => old.id),
    ),
    ...kept.flatMap(([old, now]) => [...reworded(old, now), ...rebuilt(old, now)]),
    ...kept.flatMap(([old]) => rerouted(before, after, old.id)),
  ];
}

function settings(before: Questionnaire, after: Questionnaire): readonly string[] {
  const shown = (value: unknown) => (value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value));
  const plans = (definition: Questionnaire) =>
    definition.productConfigurations
      .map(({ productType, productPlan, currency }) => `${productType} ${productPlan}${currency === undefined ? "" : ` ${currency}`}`)
      .join(", ");
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ["Theme", before.theme, after.theme],
    ["First question", before.initialQuestion, after.initialQuestion],
    ["End of progress", before.progress.end, after.progress.end],
    ["Coupon", before.coupon?.code, after.coupon?.code],
    ["Level found by", before.userLevelAlgorithm, after.userLevelAlgorithm],
    ["Levels", before.userLevelMappings, after.userLevelMappings],
    ["Words for the levels", before.levels, after.levels],
    ["Level rules", before.levelQuestionRules, after.levelQuestionRules],
    ["After the last level question", before.lastLevelQuestionFollowUpQuestion, after.lastLevelQuestionFollowUpQuestion],
    [
      "Study schedules",
      before.schedules.map(({ id, months, practiseDaysPerWeek, minutesPerSession }) => [
        id,
        months,
        practiseDaysPerWeek,
        minutesPerSession,
      ]),
      after.schedules.map(({ id, months, practiseDaysPerWeek, minutesPerSession }) => [id, months, practiseDaysPerWeek, minutesPerSession]),
    ],
    ["Offers", plans(before), plans(after)],
  ];
  return rows.flatMap(([what, was, is]) => (JSON.stringify(was) === JSON.stringify(is) ? [] : [`${what}: ${shown(was)} → ${shown(is)}`]));
}

function reordered(now: readonly number[], then: readonly number[]): readonly string[] {
  return now.flatMap((id, index) => {
    const [before, wasBefore] = [now[index - 1], then[then.indexOf(id) - 1]];
    return before === wasBefore || (then.indexOf(before ?? -1) < then.indexOf(id) && now.indexOf(wasBefore ?? -1) < index)
      ? []
      : [`Re-ordered: ${id} stands after ${before ?? "nothing"}, no longer after ${wasBefore ?? "nothing"}`];
  });
}

function reworded(old: Question, now: Question): readonly string[] {
  const was = textsOf(old);
  const is = textsOf(now);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((where) => {
    const [a, b] = [was.get(where), is.get(where)];
    if (a === b) return [];
    return [
      a === undefined
        ? `Re-worded: ${now.id}, ${where}: new "${b}"`
        : b === undefined
          ? `Re-worded: ${now.id}, ${where}: no more "${a}"`
          : `Re-worded: ${now.id}, ${where}: "${a}" → "${b}"`,
    ];
  });
}

function rebuilt(old: Question, now: Question): readonly string[] {
  const blocks = (question: Question) =>
    question.contents
      .map((item) => `${item.type}${item.requirements === undefined ? "" : ` (if ${rulesInWords(item.requirements)})`}`)
      .join(", ");
  const options = (question: Question) =>
    question.options
      .map(
        (option) =>
          `${option.id}${option.type === undefined ? "" : ` ${option.type}`}${option.requirements === undefined ? "" : ` (if ${rulesInWords(option.requirements)})`}`,
      )
      .join(", ");
  return [
    ...(old.type === now.type ? [] : [`Changed: ${now.id} is ${now.type ?? "plain"}, was ${old.type ?? "plain"}`]),
    ...(old.weight === now.weight ? [] : [`Changed: ${now.id} weighs ${now.weight}, was ${old.weight}`]),
    ...(blocks(old) === blocks(now) ? [] : [`Changed: ${now.id} shows ${blocks(now)}; was ${blocks(old)}`]),
    ...(options(old) === options(now) ? [] : [`Changed: ${now.id} offers options ${options(now)}; was ${options(old)}`]),
  ];
}

function rerouted(before: Questionnaire, after: Questionnaire, id: number): readonly string[] {
  // Labels of arrows are ignored: changed texts are listed under "Re-worded".
  const ways = (definition: Questionnaire) =>
    edgesOf(definition).flatMap(({ from, to, kind, label }) =>
      from === id ? [kind === "rule" && label !== "" ? `${to} if ${label}` : String(to)] : [],
    );
  const [was, is] = [ways(before), ways(after)];
  return was.join() === is.join() ? [] : [`Re-routed: ${id} leads to ${is.join(", ") || "nothing"}; was ${was.join(", ") || "nothing"}`];
}
