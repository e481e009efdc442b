/** What the checker says: its findings, and the one place that collects them. */
import { encodeAnswers } from "../answer-code.ts";
import type { Context } from "../context.ts";
import { type Situation, type Visitor, visitorOf } from "../explore.ts";
import type { State } from "../state.ts";

export const findingKinds = [
  // 0: the shape, without which nothing else is looked at
  "malformed",
  // 1: the way
  "unreachable",
  "deadEnd",
  "trapped",
  "paymentBeforeSignup",
  "paymentBeforeProgramView",
  "noPayment",
  "noSignup",
  // 2: rules
  "neverHolds",
  "deadRule",
  "shadowed",
  "levelRuleNeverFires",
  "ignoredOption",
  "noHistory",
  // 3: the specification's errors
  "noInitialQuestion",
  "noEmbeddedQuestion",
  "noInitialLevelView",
  "noPreparingProgram",
  "noThankYouView",
  "noUserLevelOption",
  "noTargetLevelOption",
  "noFollowUpId",
  "unknownQuestion",
  "unmappedLevel",
  "duplicateId",
  // 4: what must be known
  "unbound",
  "unknownPlaceholder",
  "notOneHeading",
  // 5: what must exist
  "emptyText",
  "differentPlaceholders",
  "differentStructure",
  "missingLocale",
  "missingPicture",
  "missingVideo",
  "missingProduct",
  "missingCoupon",
  // 6: progress
  "progressStepsBack",
  "noProgressEnd",
  "manyScreens",
  "tooLarge",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** A note is worth knowing and no fault. */
  readonly severity: "fault" | "note";
  readonly message: string;
  readonly question?: number | undefined;
  /** The counter-example: answers to replay, and for whom. Absent where nothing leads there. */
  readonly path?: string | undefined;
  readonly context?: Context | undefined;
  /** Whose path it is (`startsOf`). */
  readonly visitor?: Visitor | undefined;
}

export interface Place {
  readonly question?: number | undefined;
  readonly state?: State | undefined;
  readonly context?: Context | undefined;
}
export type Reporter = ReturnType<typeof reporter>;

/** Collects findings; the same words about the same place count once, with the first (shortest) path. */
export function reporter() {
  const found = new Map<string, Finding>();
  const add = (severity: Finding["severity"], kind: FindingKind, message: string, { question, state, context }: Place = {}) => {
    const key = `${kind} ${question} ${message}`;
    if (!found.has(key))
      found.set(key, {
        kind,
        severity,
        message,
        question,
        ...(state === undefined ? {} : { path: encodeAnswers(state), context, visitor: visitorOf(state) }),
      });
  };
  return {
    fault: (kind: FindingKind, message: string, place?: Place) => add("fault", kind, message, place),
    note: (kind: FindingKind, message: string, place?: Place) => add("note", kind, message, place),
    findings: (): readonly Finding[] => [...found.values()],
  };
}

export function at(situation: Situation, question: number, state = situation.state): Place {
  return { question, state, context: situation.context };
}
