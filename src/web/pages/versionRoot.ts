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
 * The address that begins or resumes another version. If the device has answers of that version, the address has them and leads to the current question.
 *
 * It keeps the source of the visit, because the next page reports it. If the browser blocks its storage, it also keeps the campaign's ids, because the next
 * page would not know them. A version with a site of its own gets all parameters.
 */
export function versionRoot(locale: Locale, version: string, stored: State | null): string {
  const root = buildPath("questionnaire/root", locale, { version });
  if (traitsOf(version).externalSite !== null) return root + location.search;
  const answers = stored?.id === version ? encodeAnswers(stored) : "";
  const source = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => isKept(name)));
  const query = [answers === "" ? "" : `a=${answers}`, String(source)].filter((part) => part !== "");
  return query.length === 0 ? root : `${root}?${query.join("&")}`;
}
