/** Proves one version in every locale. `npm run funnel -- check` prints the result, and the development overlay shows it. */
import { authoredAs, questionnaireIn, type Version } from "../index.ts";
import { InvalidDefinition } from "../invalidDefinition.ts";
import type { Say } from "../story.ts";
import { lookUp, type TextTables } from "../../texts/lookup.ts";
import { textIn } from "../../texts/load.ts";
import { questionnaireTexts } from "../../texts/questionnaire.ts";
import { type Locale, locales } from "#core/locales.ts";
import {
  presentFindings,
  check,
  checkContents,
  type Finding,
  formatFinding,
  sharesProof,
  type Statistics,
} from "#core/questionnaire/check.ts";
import { marked } from "#core/marks.ts";
import { type Questionnaire, questionSchema } from "#core/questionnaire/definition.ts";
import { blockSchema } from "#blocks/specs.ts";
import { surroundings } from "./surroundings.ts";

type Definitions = Partial<Record<Locale, Questionnaire>>;

const unexplored = "not explored";

export interface Proof {
  readonly findings: readonly Finding[];
  /** Numbers of screens, branches and paths, as a sentence. */
  readonly numbers: string;
  readonly milliseconds: number;
}

type Texts = Readonly<Partial<Record<Locale, Readonly<Record<string, string>> | undefined>>>;

function tablesOf(texts: Texts): TextTables<string> {
  const tables: Partial<Record<Locale, Readonly<Record<string, string>>>> = {};
  for (const locale of locales) {
    const own = texts[locale];
    if (own !== undefined) tables[locale] = own;
  }
  return tables;
}

type Build = (version: Version, locale: Locale, say: Say) => Questionnaire;
const buildQuestionnaire: Build = (version, _, say) => questionnaireIn(version, say);
const silent = () => {};

export function prove(
  version: Version,
  texts: Texts = questionnaireTexts,
  build: Build = buildQuestionnaire,
  around = surroundings,
): Proof {
  const started = performance.now();
  const definitions: Definitions = {};
  const tables = tablesOf(texts);
  const proof = (findings: readonly Finding[], numbers: string): Proof => ({
    findings: presentFindings(findings),
    numbers,
    milliseconds: performance.now() - started,
  });
  let ofTexts: readonly Finding[] = [];
  try {
    ofTexts = findingsOfTexts(version, tables);
    for (const locale of locales)
      if (tables[locale] !== undefined)
        definitions[locale] = build(version, locale, (key) =>
          isReadable(tables, locale, key) ? textIn(tables, locale, key, silent) : key,
        );
    const { findings, numbers } = proofOf(definitions, around);
    return proof([...ofTexts, ...findings], numbers);
  } catch (error) {
    // Any exception in the author's code counts as a fault of the version.
    const faults = error instanceof InvalidDefinition ? error.faults : [{ question: undefined, message: `${error}.` }];
    const findings = faults.map(({ question, message }): Finding => ({ kind: "malformed", severity: "fault", question, message }));
    return proof([...ofTexts, ...findings], unexplored);
  }
}

/** Findings about a version's texts: keys that all or some locales lack, and texts that do not parse. */
function findingsOfTexts(version: Version, texts: TextTables<string>): readonly Finding[] {
  const keys = new Set<string>();
  const { questions } = authoredAs(version, (key) => {
    keys.add(key);
    return key;
  });
  const known = locales.filter((locale) => texts[locale] !== undefined);
  return [...keys].flatMap((key): readonly Finding[] => {
    const fault = (kind: Finding["kind"], message: string, where?: readonly Locale[]): Finding => {
      const question = questions.find((each) =>
        marked(questionSchema, each, blockSchema).some(({ mark, value }) => mark === "text" && value === key),
      )?.id;
      return { kind, severity: "fault", message, question, ...(where === undefined ? {} : { locales: where }) };
    };
    const lacking = known.filter((locale) => !Object.hasOwn(texts[locale] ?? {}, key));
    if (lacking.length > 0)
      return [
        lacking.length === known.length
          ? fault("unknownText", `no locale has a text "${key}".`)
          : fault("missingText", `there is no text "${key}".`, lacking),
      ];
    const unread = known.filter((locale) => !isReadable(texts, locale, key));
    return unread.length === 0 ? [] : [fault("malformed", `the text "${key}" cannot be parsed.`, unread)];
  });
}

function isReadable(texts: TextTables<string>, locale: Locale, key: string): boolean {
  if (!/[{}<>'#]/.test(lookUp(texts, locale, key, silent))) return true;
  try {
    textIn(texts, locale, key, silent);
    return true;
  } catch {
    return false;
  }
}

/** A version's verdict in one line, and its faults with their paths; null when it is sound. */
export function verdictFor(version: Version): { readonly verdict: string; readonly fault: string | null } {
  const { findings, milliseconds } = prove(version);
  const faults = findings.filter(({ severity }) => severity === "fault");
  return {
    verdict: `Version ${version}: ${verdictOf(faults.length)} (${milliseconds.toFixed(0)} ms)`,
    fault: faults.length === 0 ? null : `Version ${version} is not sound\n${faults.map(formatFinding).join("\n")}`,
  };
}

/** Prints the findings of some versions and returns the number of faults. Findings shared by all versions of a locale are printed once. */
export function printFindings(
  chosen: readonly Version[],
  print: (line: string) => void,
  texts: Texts = questionnaireTexts,
  build: Build = buildQuestionnaire,
) {
  let faults = 0;
  const keys = Object.keys(questionnaireTexts["en-US"] ?? {});
  for (const locale of locales) {
    const own = texts[locale];
    const missing = own === undefined ? [] : keys.filter((key) => !Object.hasOwn(own, key));
    faults += own === undefined ? 1 : missing.length;
    if (own === undefined) print(`  FAULT missingLocale: The locale ${locale} is missing.`);
    else if (missing.length > 0)
      print(`  FAULT missingText: ${locale} has no text for ${missing.length > 20 ? `${missing.length} keys` : missing.join(", ")}`);
  }
  for (const version of chosen) {
    const { findings, numbers, milliseconds } = prove(version, texts, build);
    // Missing locales and texts have already been reported for all versions.
    const own = findings.filter(({ kind }) => kind !== "missingLocale" && kind !== "missingText");
    const wrong = own.filter(({ severity }) => severity === "fault").length;
    faults += wrong;
    const verdict = wrong === 0 && own.length < findings.length ? "texts are missing" : verdictOf(wrong);
    print(`${version}: ${verdict}; ${numbers}; ${milliseconds.toFixed(0)} ms`);
    for (const finding of own) print(formatFinding(finding));
  }
  return faults;
}

function verdictOf(faults: number): string {
  return faults === 0 ? "sound" : `${faults} fault${faults === 1 ? "" : "s"}`;
}

/** A finding that several locales share is reported once, with the path in the first of them. */
export function proofOf(definitions: Definitions, around = surroundings): Omit<Proof, "milliseconds"> {
  const findings: Finding[] = [...checkContents(definitions, around)];
  // Locales with the same structure and placeholders share one proof.
  const proved: Questionnaire[] = [];
  let numbers: string | undefined;
  for (const definition of Object.values(definitions)) {
    if (proved.some((other) => sharesProof(other, definition))) continue;
    proved.push(definition);
    const { findings: more, statistics } = check(definition, around);
    findings.push(...more);
    if (statistics !== null) numbers ??= numbersOf(statistics);
  }
  const same = (one: Finding, other: Finding) =>
    one.kind === other.kind && one.question === other.question && one.message === other.message;
  return {
    findings: findings.filter((one, index) => findings.findIndex((other) => same(one, other)) === index),
    numbers: numbers ?? unexplored,
  };
}

function numbersOf({ screens, branches, shortest, longest, expected, situations }: Statistics): string {
  const length =
    expected === null ? "nobody comes to the end" : `visitors see ${shortest} to ${longest} screens, ${expected.toFixed(1)} on average`;
  return `${screens} screens, ${branches} branches, ${length}; ${situations} situations tried`;
}
