/**
 * The few facts that a page needs about every version. Builds for browsers replace this module by its value (`web/build/contentModules.ts`), so a
 * page never receives another version's questions.
 */
import type { Traits } from "./define.ts";
import { defaultVersion, everyVersion, type VersionName } from "./index.ts";

export type KnownVersion = Partial<Traits> & { readonly externalSite?: string };

const known = (version: (typeof everyVersion)[number]): readonly [VersionName, KnownVersion] => [
  version.id,
  "traits" in version ? version.traits : { externalSite: version.externalSite },
];

/** `versions`: per version the facts that the browser needs, with traits only where they differ from the usual ones. */
export default { versions: everyVersion.map(known), defaultVersion };
