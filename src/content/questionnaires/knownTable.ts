/**
 * The little that a page knows of every version. A build for browsers replaces this module by its value
 * (`web/build/contentModules.ts`): a page is sent no other version's questions.
 */
import type { Traits } from "./define.ts";
import { defaultVersion, everyVersion, type VersionName } from "./index.ts";

export type KnownVersion = Partial<Traits> & { readonly externalSite?: string };

const known = (version: (typeof everyVersion)[number]): readonly [VersionName, KnownVersion] => [
  version.id,
  "traits" in version ? version.traits : { externalSite: version.externalSite },
];

/** `versions`: in which traits each one differs from the usual. */
export default { versions: everyVersion.map(known), defaultVersion };
