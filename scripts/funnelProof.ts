/** One version proved in every locale: what `npm run funnel -- check` prints and the development overlay shows. */
import { questionnaireFor, type Version } from "#content/questionnaires/index.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { type Locale, locales } from "#core/locales.ts";
import { check, checkContents, type Finding, sharesProof } from "#core/questionnaire/check.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { surroundings } from "./funnelSurroundings.ts";

type Definitions = Partial<Record<Locale, Questionnaire>>;

export interface Proof {
  readonly findings: readonly Finding[];
  /** Screens, branches and ways in words; empty when the version could not be explored. */
  readonly numbers: string;
  readonly milliseconds: number;
}

export function prove(version: Version): Proof {
  const started = performance.now();
  const definitions: Definitions = {};
  for (const locale of locales) if (questionnaireTexts[locale] !== undefined) definitions[locale] = questionnaireFor(version, locale);
  return { ...proofOf(definitions), milliseconds: performance.now() - started };
}

/** What several locales have in common is told once, with the first one's path. */
export function proofOf(definitions: Definitions): Omit<Proof, "milliseconds"> {
  const findings: Finding[] = [...checkContents(definitions, surroundings)];
  // Locales of one structure and the same placeholders stand and fall together: one proof serves them all.
  const proved: Questionnaire[] = [];
  let numbers = "";
  for (const definition of Object.values(definitions)) {
    if (proved.some((other) => sharesProof(other, definition))) continue;
    proved.push(definition);
    const { findings: more, statistics } = check(definition, surroundings);
    findings.push(...more);
    if (statistics !== null && numbers === "")
      numbers = `${statistics.screens} screens, ${statistics.branches} branches, ${statistics.shortest} to ${statistics.longest} screens long, ${statistics.expected.toFixed(1)} expected; ${statistics.situations} situations of ${statistics.contexts} kinds of visitors`;
  }
  const same = (one: Finding, other: Finding) =>
    one.kind === other.kind && one.question === other.question && one.message === other.message;
  return { findings: findings.filter((one, index) => findings.findIndex((other) => same(one, other)) === index), numbers };
}

/** A finding with its path, for a terminal or the overlay. */
export function inWords({ kind, severity, message, path, context, visitor }: Finding): string {
  const who =
    context === undefined
      ? ""
      : ` (${context.country}, ${context.locale}, ${context.platform}${context.requiresMarketingConsent ? ", consent required" : ""}${visitor === "new" ? "" : ", came back signed up"})`;
  return `  ${severity === "fault" ? "FAULT" : "note "} ${kind}: ${message}${path === undefined ? "" : `\n        by ${path === "" ? "the very start" : path}${who}`}`;
}
