/** Checks that every question can be reached and left, and leads to a payment after sign-up and program view. */
import { isWayBack } from "../compile.ts";
import { templateQuestionId } from "../../routes.ts";
import { QuestionnaireError } from "../error.ts";
import { type Exploration, leadsToNew, type Situation } from "../explore.ts";
import { finalProgramView } from "../next.ts";
import { visibleContents } from "../requirements.ts";
import { at, type FindingKind, type Reporter } from "./findings.ts";
import { holdsPayment, isPayment } from "./specialQuestions.ts";

export function checkReached({ compiled }: Exploration, firstAt: ReadonlyMap<number, Situation>, report: Reporter): void {
  const { definition } = compiled;
  for (const { id } of definition.questions) {
    // Pages after the purchase have routes of their own. No follow-up leads to them.
    if (firstAt.has(id) || id >= templateQuestionId) continue;
    const from = definition.questions
      .filter((question) => compiled.nodes[question.id]?.successors.includes(id) === true)
      .map((question) => question.id);
    report.fault(
      "unreachable",
      from.length === 0
        ? `Nothing leads to question ${id}.`
        : `Question ${id} is never reached: the links to it from ${from.join(", ")} are never taken.`,
      { question: id, joins: { topic: "Never reached", what: `question ${id}` } },
    );
  }
  if (compiled.nodes[definition.progress.end] !== undefined && !firstAt.has(definition.progress.end))
    report.fault("noProgressEnd", `Progress ends at question ${definition.progress.end}, which is never reached.`);
}

/** Checks that every question leads to a payment, and that sign-up and program view come before it. */
export function checkPayment({ compiled, situations }: Exploration, programViews: ReadonlySet<number>, report: Reporter): void {
  const sells = compiled.definition.questions.some(holdsPayment);
  const paying = situations.map(({ node, ready, context }) =>
    ready.some((state) => visibleContents(compiled, node.question, state, context).some(isPayment)),
  );
  const canPay = canReach(situations, paying);
  situations.forEach((situation, index) => {
    const { state, ways } = situation;
    const id = state.currentQuestionId;
    if (ways.length === 0 && paying[index] !== true)
      report.fault("deadEnd", `Question ${id} cannot be left: no option shows.`, at(situation, id));
    else if (canPay[index] !== true && !goesOn(situation) && sells)
      report.fault("trapped", `No path leads from question ${id} to the payment.`, at(situation, id));
    if (paying[index] === true) {
      if (!state.signupDone)
        report.fault("paymentBeforeSignup", `Question ${id} asks for payment before the visitor has signed up.`, at(situation, id));
      if (!programViews.has(id) && !state.visitedQuestionIds.some((visited) => programViews.has(visited)))
        report.fault(
          "paymentBeforeProgramView",
          `Question ${id} asks for payment before the program view (${[...programViews].join(", ")}).`,
          at(situation, id),
        );
    }
  });
}

/** Checks that every option leads somewhere and has the fields that the engine needs. */
export function checkOptions({ compiled, situations }: Exploration, programViews: ReadonlySet<number>, report: Reporter): void {
  const { InitialLevelView, TargetLevelView, ThankYouView } = compiled.firstOfType;
  for (const situation of situations) {
    const id = situation.state.currentQuestionId;
    for (const { option, before, error, recorded } of situation.ways) {
      const place = at(situation, id, before);
      if (error !== undefined)
        report.fault(kindOfReason[error.reason] ?? "noFollowUpId", `Question ${id}, option ${option.id}: ${error.message}`, place);
      if (isWayBack(option)) continue;
      const { userLevelAlgorithm } = compiled.definition;
      if (userLevelAlgorithm === "InitialLevel" && InitialLevelView?.id === id && option.meta?.userLevel === undefined)
        report.fault("noUserLevelOption", `Option ${option.id} of the InitialLevelView ${id} carries no userLevel.`, place);
      if (TargetLevelView?.id === id && option.meta?.targetLevel === undefined)
        report.fault("noTargetLevelOption", `Option ${option.id} of the TargetLevelView ${id} carries no targetLevel.`, place);
      if (programViews.size > 0 && ThankYouView?.id === id) {
        try {
          finalProgramView(compiled, recorded, situation.context);
        } catch (thrown) {
          if (!(thrown instanceof QuestionnaireError)) throw thrown;
          report.fault("noThankYouView", `After question ${id}: ${thrown.message}`, place);
        }
      }
    }
  }
}

const kindOfReason: Readonly<Partial<Record<string, FindingKind>>> = {
  noFollowUpId: "noFollowUpId",
  noHistory: "noHistory",
  unknownQuestion: "unknownQuestion",
};

/**
 * Whether any way leads to a question that the visitor has not seen. A trap is reported only where none does. A way with an error counts too, because
 * errors are reported separately.
 */
function goesOn({ state, ways }: Situation): boolean {
  return ways.some((way) => way.error !== undefined || leadsToNew(way, state));
}

/** For each situation, whether it can reach a marked one. */
function canReach(situations: readonly Situation[], marked: readonly boolean[]): readonly boolean[] {
  const before = new Map<number, number[]>();
  situations.forEach((situation, from) => {
    for (const { to } of situation.ways) {
      const list = before.get(to);
      if (list === undefined) before.set(to, [from]);
      else list.push(from);
    }
  });
  const can = [...marked];
  const open = [...marked.keys()].filter((index) => marked[index] === true);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const from of before.get(index) ?? []) {
      if (can[from] === true) continue;
      can[from] = true;
      open.push(from);
    }
  }
  return can;
}
