/** The draw of a questionnaire version (spec 000 §2, "questionnaire/raffle"). */
import { traitsOf } from "#content/questionnaires/known.ts";
import type { Locale } from "#core/locales.ts";
import { createHash } from "node:crypto";
import type { Questionnaires } from "../../base/questionnaires.ts";

/** Six bytes are as many as a number holds exactly. */
const drawnBytes = 6;

/** Whether a visitor can be given this version: there is a questionnaire, or another site that has one. */
export function isOffered(version: string, { versions }: Pick<Questionnaires, "versions">): boolean {
  return versions.includes(version) || traitsOf(version).externalSite !== null;
}

/** The same version for the same seed as long as the weights stay; versions that are not known take no part. */
export function drawVersion(
  weights: Readonly<Record<string, number>> | undefined,
  questionnaires: Questionnaires,
  locale: Locale,
  seed: string,
): string {
  const tickets = Object.entries(weights ?? {}).filter(([version, weight]) => weight > 0 && isOffered(version, questionnaires));
  const total = tickets.reduce((sum, [, weight]) => sum + weight, 0);
  const drawn = (createHash("sha256").update(seed).digest().readUIntBE(0, drawnBytes) / 2 ** (8 * drawnBytes)) * total;
  let upTo = 0;
  for (const [version, weight] of tickets) {
    upTo += weight;
    if (drawn < upTo) return version;
  }
  return questionnaires.defaultVersion[locale];
}
