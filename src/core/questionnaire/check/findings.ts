/** The kinds of findings, and the reporter that collects them. */
import { encodeAnswers } from "../answer-code.ts";
import type { Locale } from "../../locales.ts";
import type { Context } from "../context.ts";
import { type Situation, type Visitor, visitorOf } from "../explore.ts";
import type { State } from "../state.ts";

export const findingKinds = [
  // 0: the schema; if it does not match, nothing else is checked
  "malformed",
  // 1: paths
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
  // 3: the errors of the specification
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
  "overlappingLevels",
  "duplicateId",
  // 4: data that must be known
  "unbound",
  "unknownPlaceholder",
  "notOneHeading",
  // 5: things that must exist
  "unknownText",
  "missingText",
  "emptyText",
  "differentPlaceholders",
  "differentStructure",
  "missingLocale",
  "missingPicture",
  "missingIcon",
  "missingVideo",
  "missingProduct",
  "missingCoupon",
  // 6: progress
  "progressStepsBack",
  "noProgressEnd",
  "progressStandsStill",
  "manyScreens",
  "tooLarge",
  // 7: conventions for authors
  "authoring",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** A note is information, not a fault. */
  readonly severity: "fault" | "note";
  readonly message: string;
  readonly question?: number | undefined;
  /** Set when only some locales' contents have the fault. */
  readonly locales?: readonly Locale[] | undefined;
  /** The counter-example: answers to replay. Absent when no path leads there. */
  readonly path?: string | undefined;
  readonly context?: Context | undefined;
  /** The kind of visitor on that path (`startsOf`). */
  readonly visitor?: Visitor | undefined;
  /** The affected visitors, in words (`audienceOf`); absent when it affects all. */
  readonly only?: string | undefined;
  /** Findings with the same topic are reported in one line. */
  readonly joins?: Joins | undefined;
}

interface Joins {
  readonly topic: string;
  readonly what: string;
}

export interface Place {
  readonly question?: number | undefined;
  readonly state?: State | undefined;
  readonly context?: Context | undefined;
  readonly locale?: Locale | undefined;
  /** Set when the fault affects every visitor: the path is then only an example. */
  readonly everybody?: true;
  readonly joins?: Joins;
}
export type Reporter = ReturnType<typeof reporter>;

/** Collects findings. The same message about the same place counts once, with the first (shortest) path. */
export function reporter() {
  const found = new Map<string, { readonly finding: Finding; readonly locales: Set<Locale>; readonly contexts: Set<Context> }>();
  const add = (severity: Finding["severity"], kind: FindingKind, message: string, place: Place = {}) => {
    const { question, state, context, locale, everybody, joins } = place;
    const key = `${kind} ${question} ${message}`;
    let known = found.get(key);
    if (known === undefined) {
      const way = state === undefined ? {} : { path: encodeAnswers(state), context, visitor: visitorOf(state) };
      known = {
        finding: { kind, severity, message, question, ...(joins === undefined ? {} : { joins }), ...way },
        locales: new Set(),
        contexts: new Set(),
      };
      found.set(key, known);
    }
    if (locale !== undefined) known.locales.add(locale);
    if (context !== undefined && everybody === undefined) known.contexts.add(context);
  };
  return {
    fault: (kind: FindingKind, message: string, place?: Place) => add("fault", kind, message, place),
    note: (kind: FindingKind, message: string, place?: Place) => add("note", kind, message, place),
    findings: (audience?: (found: readonly Context[]) => string): readonly Finding[] =>
      [...found.values()].map(({ finding, locales, contexts }) => {
        const only = audience?.([...contexts]) ?? "";
        return { ...finding, ...(locales.size === 0 ? {} : { locales: [...locales] }), ...(only === "" ? {} : { only }) };
      }),
  };
}

export function at(situation: Situation, question: number, state = situation.state): Place {
  return { question, state, context: situation.context };
}
