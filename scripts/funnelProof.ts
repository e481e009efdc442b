/** One version proved in every locale: what `npm run funnel -- check` prints and the development overlay shows. */
import { questionnaireFor, type Version } from "#content/questionnaires/index.ts";
import { Misfit } from "#content/questionnaires/misfit.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { type Locale, locales } from "#core/locales.ts";
import { check, checkContents, type Finding, sharesProof } from "#core/questionnaire/check.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { surroundings } from "./funnelSurroundings.ts";

type Definitions = Partial<Record<Locale, Questionnaire>>;

const unexplored = "not explored";

export interface Proof {
  readonly findings: readonly Finding[];
  /** Screens, branches and ways in words. */
  readonly numbers: string;
  readonly milliseconds: number;
}

type Texts = Readonly<Partial<Record<Locale, Readonly<Record<string, string>> | undefined>>>;

export function prove(version: Version, texts: Texts = questionnaireTexts, build = questionnaireFor): Proof {
  const started = performance.now();
  const definitions: Definitions = {};
  try {
    for (const locale of locales) if (texts[locale] !== undefined) definitions[locale] = build(version, locale);
    return { ...proofOf(definitions), milliseconds: performance.now() - started };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const findings = error.faults.map(({ question, message }): Finding => ({
      kind: "malformed",
      severity: "fault",
      question,
      message: `Version ${version}: ${message}`,
    }));
    return { findings, numbers: unexplored, milliseconds: performance.now() - started };
  }
}

/** Prints what `check` finds in some versions, and gives the number of faults. What every version would say of a locale is said once. */
export function tell(
  chosen: readonly Version[],
  print: (line: string) => void,
  texts: Texts = questionnaireTexts,
  build = questionnaireFor,
) {
  let faults = 0;
  const keys = Object.keys(questionnaireTexts["en-US"] ?? {});
  for (const locale of locales) {
    const own = texts[locale];
    const missing = own === undefined ? [] : keys.filter((key) => !Object.hasOwn(own, key));
    faults += own === undefined ? 1 : missing.length;
    if (own === undefined) print(`  FAULT missingLocale: There is no ${locale}.`);
    else if (missing.length > 0)
      print(`  FAULT missingText: ${locale} has no text for ${missing.length > 20 ? `${missing.length} keys` : missing.join(", ")}`);
  }
  for (const version of chosen) {
    const { findings, numbers, milliseconds } = prove(version, texts, build);
    print(`${version}: ${numbers}; ${milliseconds.toFixed(0)} ms`);
    for (const finding of findings) {
      if (finding.kind === "missingLocale") continue;
      print(inWords(finding));
      if (finding.severity === "fault") faults += 1;
    }
  }
  return faults;
}

/** What several locales have in common is told once, with the first one's path. */
export function proofOf(definitions: Definitions): Omit<Proof, "milliseconds"> {
  const findings: Finding[] = [...checkContents(definitions, surroundings)];
  // Locales of one structure and the same placeholders stand and fall together: one proof serves them all.
  const proved: Questionnaire[] = [];
  let numbers: string | undefined;
  for (const definition of Object.values(definitions)) {
    if (proved.some((other) => sharesProof(other, definition))) continue;
    proved.push(definition);
    const { findings: more, statistics } = check(definition, surroundings);
    findings.push(...more);
    if (statistics !== null)
      numbers ??= `${statistics.screens} screens, ${statistics.branches} branches, ${statistics.shortest} to ${statistics.longest} screens long, ${statistics.expected.toFixed(1)} expected; ${statistics.situations} situations of ${statistics.contexts} kinds of visitors`;
  }
  const same = (one: Finding, other: Finding) =>
    one.kind === other.kind && one.question === other.question && one.message === other.message;
  return {
    findings: findings.filter((one, index) => findings.findIndex((other) => same(one, other)) === index),
    numbers: numbers ?? unexplored,
  };
}

/** A finding with its path, for a terminal or the overlay. */
export function inWords({ kind, severity, message, path, context, visitor }: Finding): string {
  const who =
    context === undefined
      ? ""
      : ` (${context.country}, ${context.locale}, ${context.platform}${context.requiresMarketingConsent ? ", consent required" : ""}${visitor === "new" ? "" : ", came back signed up"})`;
  return `  ${severity === "fault" ? "FAULT" : "note "} ${kind}: ${message}${path === undefined ? "" : `\n        by ${path === "" ? "the very start" : path}${who}`}`;
}
