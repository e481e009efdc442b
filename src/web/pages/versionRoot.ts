import { traitsOf } from "#content/questionnaires/known.ts";
import type { Locale } from "#core/locales.ts";
import { sourceParameter } from "#core/links.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { State } from "#core/questionnaire/state.ts";
import { buildPath } from "#core/routes.ts";
import { isStorageBlocked } from "../device/storage.ts";

const campaignParameters: readonly string[] = ["vid", "cid", "adid"];
const isKept = (name: string) => sourceParameter.test(name) || (isStorageBlocked && campaignParameters.includes(name));

/**
 * The address that begins or resumes another version. With stored answers of that version it leads to the visitor's current question. It keeps the
 * source of the visit, which the next page reports, and where the browser blocks its storage the campaign's ids, which that page would not know. The
 * root of a version with its own site leads there, with all parameters of the campaign.
 */
export function versionRoot(locale: Locale, version: string, stored: State | null): string {
  const root = buildPath("questionnaire/root", locale, { version });
  if (traitsOf(version).externalSite !== null) return root + location.search;
  const answers = stored?.id === version ? encodeAnswers(stored) : "";
  const source = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => isKept(name)));
  const query = [answers === "" ? "" : `a=${answers}`, String(source)].filter((part) => part !== "");
  return query.length === 0 ? root : `${root}?${query.join("&")}`;
}
