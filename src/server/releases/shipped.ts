/** The questionnaires that this code ships. */
import { hashOf } from "#content/questionnaires/bundleHash.ts";
import { bundleFor, defaultVersion, isVersion, questionnaireFor, type Version, versions } from "#content/questionnaires/index.ts";
import { canonicalJson } from "#core/canonicalJson.ts";
import type { Questionnaires } from "../base/questionnaires.ts";

function known(version: string): Version {
  if (!isVersion(version)) throw new Error(`There is no version ${version}`);
  return version;
}

export const shippedQuestionnaires: Questionnaires = {
  versions,
  defaultVersion,
  questionnaireFor: (version, locale) => questionnaireFor(known(version), locale),
  bundleOf: (version) => {
    const bundle = bundleFor(known(version));
    return { hash: hashOf(bundle), json: canonicalJson(bundle) };
  },
};
