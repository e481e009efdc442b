/** Releases that this code does not ship. Visitors who began on one keep it when their answers do not fit a newer one (decision 195). */
import { type Locale, locales } from "#core/locales.ts";
import { memoize } from "#core/memoize.ts";
import type { PageRelease } from "#core/page.ts";
import { releaseName, releaseNamePattern } from "#core/release.ts";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";

export interface OlderReleases {
  /** Null for an unknown name, for a release that this code ships, and for one that today's schemas reject. Throws when the database is down. */
  readonly find: (name: string) => Promise<PageRelease | null>;
}

interface OlderReleasesParts {
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

/** How long an unknown name stays cached, ms. Strangers can make up any number of names. */
const namesKnownFor = 10_000;
/** Each takes about 200 kB of memory. */
const mostReleases = 50;

export function createOlderReleases({ store, world, questionnaires, log }: OlderReleasesParts): OlderReleases {
  const opened = new LRUCache<string, { readonly release: PageRelease | null }>({ max: mostReleases });
  /** Whether a release fits this code in every locale. Checked once per release, because it takes six times as long as building one locale. */
  const fits = new Map<string, boolean>();
  let known: { readonly hashes: ReadonlyMap<string, string>; readonly at: number } | null = null;

  async function hashOf(name: string): Promise<string | undefined> {
    const hash = known?.hashes.get(name);
    if (hash !== undefined || (known !== null && world.now() - known.at < namesKnownFor)) return hash;
    const rows = await store.read.selectFrom("releases").select("hash").execute();
    known = { hashes: new Map(rows.map((row) => [releaseName(row.hash), row.hash])), at: world.now() };
    return known.hashes.get(name);
  }

  async function open(name: string, hash: string): Promise<PageRelease | null> {
    const { version, bundle } = await store.read
      .selectFrom("releases")
      .select(["version", "bundle"])
      .where("hash", "=", hash)
      .executeTakeFirstOrThrow();
    // Visitors of a shipped release use the shipped version.
    if (!questionnaires.versions.includes(version) || releaseName(questionnaires.bundleOf(version).hash) === name) return null;
    const questionnaireIn = memoize((locale: Locale) => questionnaires.questionnaireOf(bundle, locale));
    if (!fits.has(name)) fits.set(name, isValid(name, version, questionnaireIn));
    return fits.get(name) === true ? { name, version, questionnaireIn } : null;
  }

  function isValid(name: string, version: string, questionnaireIn: PageRelease["questionnaireIn"]): boolean {
    try {
      locales.forEach(questionnaireIn);
      return true;
    } catch (err) {
      log.warn({ err, release: name, version }, "A release no longer fits this code: its visitors continue with the newer one");
      return false;
    }
  }

  return {
    async find(name) {
      if (!releaseNamePattern.test(name)) return null;
      const ready = opened.get(name);
      if (ready !== undefined) return ready.release;
      const hash = await hashOf(name);
      if (hash === undefined) return null;
      const release = await open(name, hash);
      opened.set(name, { release });
      return release;
    },
  };
}
