/** What server and pages know of every version without its questions: its name, its traits, and whose default it is. */
import { type Traits, usualTraits } from "./define.ts";
import type { VersionName } from "./index.ts";
import table from "./knownTable.ts";

export type { VersionName };

interface TraitsOfAny extends Traits {
  /** The address of a version that lives on another site; null where the questionnaire is ours. */
  readonly externalSite: string | null;
}

const usual: TraitsOfAny = { ...usualTraits, externalSite: null };

/** Every version there is, those that live on another site included (spec 000 §9). */
export const versionNames: readonly VersionName[] = table.versions.map(([name]) => name);
/** The version where none is given, and where the given one is not known (spec 000 §5, §9). */
export const { defaultVersion } = table;

export function isVersionName(version: string): version is VersionName {
  return versionNames.some((name) => name === version);
}

/** The traits of a version; of one that is not known, the usual ones. */
export function traitsOf(version: string): TraitsOfAny {
  return { ...usual, ...table.versions.find(([name]) => name === version)?.[1] };
}
