/** The questionnaires that this code ships. */
import type { Bundle } from "#content/questionnaires/bundle.ts";
import { hashOf } from "#content/questionnaires/bundleHash.ts";
import {
  bundleFor,
  defaultVersion,
  isVersion,
  questionnaireFor,
  questionnaireOfBundle,
  type Version,
  versions,
} from "#content/questionnaires/index.ts";
import { canonicalJson } from "#core/canonicalJson.ts";
import { perLocale } from "#core/locales.ts";
import * as v from "valibot";
import type { Questionnaires } from "../base/questionnaires.ts";

/** The part of a bundle that `questionnaireOfBundle` needs. It checks the questionnaire itself. */
const bundleSchema = v.object({
  questionnaire: v.custom<Bundle["questionnaire"]>((value) => typeof value === "object" && value !== null),
  texts: v.record(v.string(), v.object(perLocale(() => v.string()))),
});

function known(version: string): Version {
  if (!isVersion(version)) throw new Error(`There is no version ${version}`);
  return version;
}

export const shippedQuestionnaires: Questionnaires = {
  versions,
  defaultVersion,
  questionnaireFor: (version, locale) => questionnaireFor(known(version), locale),
  questionnaireOf: (json, locale) => questionnaireOfBundle(v.parse(bundleSchema, JSON.parse(json)), locale),
  bundleOf: (version) => {
    const bundle = bundleFor(known(version));
    return { hash: hashOf(bundle), json: canonicalJson(bundle) };
  },
};
