/** Facts about all versions for the server and the pages, without their questions: name, traits, and each locale's default version. */
import { type Traits, usualTraits } from "./define.ts";
import type { VersionName } from "./index.ts";
import table from "./knownTable.ts";

export type { VersionName };

interface TraitsOfAny extends Traits {
  /** URL of a version on another site; null for versions with a questionnaire. */
  readonly externalSite: string | null;
}

const usual: TraitsOfAny = { ...usualTraits, externalSite: null };

/** All version names, including versions on other sites (spec 000 §9). */
export const versionNames: readonly VersionName[] = table.versions.map(([name]) => name);
/** The version for links that name none or an unknown one (spec 000 §5, §9). */
export const { defaultVersion } = table;

export function isVersionName(version: string): version is VersionName {
  return versionNames.some((name) => name === version);
}

/** The traits of a version; the usual ones for an unknown version. */
export function traitsOf(version: string): TraitsOfAny {
  return { ...usual, ...table.versions.find(([name]) => name === version)?.[1] };
}
