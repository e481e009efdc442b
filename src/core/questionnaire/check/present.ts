/** Prepares findings for display: causes before consequences, and one line per fault. */
import { locales as allLocales } from "../../locales.ts";
import type { Finding, FindingKind } from "./findings.ts";

/** Kinds that cause others first, kinds that follow from others last. Kinds not listed come in between. */
const causes: readonly FindingKind[] = [
  "malformed",
  "unknownText",
  "missingText",
  "duplicateId",
  "noInitialQuestion",
  "noEmbeddedQuestion",
  "noInitialLevelView",
  "noPreparingProgram",
  "noSignup",
  "unknownQuestion",
  "unmappedLevel",
  "overlappingLevels",
  "noUserLevelOption",
  "noTargetLevelOption",
  "noFollowUpId",
  "deadEnd",
  "trapped",
  "shadowed",
];
const consequences: readonly FindingKind[] = [
  "neverHolds",
  "levelRuleNeverFires",
  "unreachable",
  "noThankYouView",
  "noProgressEnd",
  "paymentBeforeProgramView",
  "paymentBeforeSignup",
  "unbound",
];

function rankOf({ kind, severity }: Finding): number {
  if (severity === "note") return 100;
  if (causes.includes(kind)) return causes.indexOf(kind);
  return 50 + consequences.indexOf(kind);
}

const maxNamed = 6;

export function presentFindings(findings: readonly Finding[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings.filter((each) => !isRepeated(each, findings)).toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const { kind, message, question, joins, only } = finding;
    const key = joins === undefined ? `${kind} ${question} ${message}` : `${kind} ${joins.topic} ${only}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flatMap(([first, ...more]) => (first === undefined ? [] : [joined(first, more)]));
}

/** Whether the finding repeats another one: a path's finding that has already been reported about the definition. */
function isRepeated({ kind, path, message, joins }: Finding, all: readonly Finding[]): boolean {
  if (kind === "unknownQuestion") return path !== undefined && all.some((other) => other.kind === kind && other.path === undefined);
  if (kind === "noProgressEnd")
    return all.some(
      (other) => other.kind === "unreachable" && message === `Progress ends at question ${other.question}, which is never reached.`,
    );
  // A path that pays before sign-up also lacks the account and the product: it is reported once, as `paymentBeforeSignup`.
  if (kind !== "unbound" || !/account|product/.test(joins?.topic ?? "")) return false;
  return all.some((other) => other.kind === "paymentBeforeSignup");
}

function joined(first: Finding, more: readonly Finding[]): Finding {
  const { joins } = first;
  if (more.length === 0 || joins === undefined) return first;
  const whats = [joins, ...more.flatMap((each) => each.joins ?? [])].map(({ what }) => what);
  const rest = whats.length > maxNamed ? ` and ${whats.length - maxNamed} more` : "";
  return { ...first, message: `${joins.topic}: ${whats.slice(0, maxNamed).join(", ")}${rest}.` };
}

/** A finding as text for a terminal or the overlay: question, locales, path and affected visitors. */
export function formatFinding({ kind, severity, message, question, locales, path, visitor, only }: Finding): string {
  const everywhere = locales === undefined || locales.length === allLocales.length;
  const what = everywhere ? `${message.slice(0, 1).toUpperCase()}${message.slice(1)}` : `${locales.join(", ")}: ${message}`;
  const named = question === undefined || new RegExp(`(question|screen|view|questions) ${question}\\b`, "i").test(message);
  const who = [...(only === undefined ? [] : [only]), ...(visitor === undefined || visitor === "new" ? [] : ["who came back signed up"])];
  const way = path === undefined ? "" : `\n        by ${path === "" ? "the very start" : path}`;
  return `  ${severity === "fault" ? "FAULT" : "note "} ${kind}: ${what}${named ? "" : ` (question ${question})`}${who.length === 0 ? "" : ` — ${who.join(", ")}`}${way}`;
}
