/** Releases that this code does not ship. Visitors who began on one keep it when their answers do not fit a newer one (decision 195). */
import { type Locale, locales } from "#core/locales.ts";
import { memoize } from "#core/memoize.ts";
import type { PageRelease } from "#core/page.ts";
import { releaseName, releaseNamePattern } from "#core/release.ts";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGate } from "../base/gate.ts";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";

export interface OlderReleases {
  /** Whether a release with this name is stored and not shipped by this code. Does not open it. Throws when the database is down. */
  readonly has: (name: string) => Promise<boolean>;
  /** Null for an unknown name, for a release that this code ships, and for one that today's schemas reject. Throws when the database is down. */
  readonly find: (name: string) => Promise<PageRelease | null>;
}

interface OlderReleasesParts {
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

interface Stored {
  readonly hash: string;
  readonly version: string;
}

/** How long an unknown name stays cached, ms. Strangers can make up any number of names. */
const namesKnownFor = 10_000;
/** Each takes about 200 kB of memory. */
const mostReleases = 50;

export function createOlderReleases({ store, world, questionnaires, log }: OlderReleasesParts): OlderReleases {
  const opened = new LRUCache<string, { readonly release: PageRelease | null }>({ max: mostReleases });
  /** Whether a release fits this code in every locale. Checked once per release, because it takes six times as long as building one locale. */
  const fits = new Map<string, boolean>();
  const oneAtATime = createGate(1);
  const shippedName = memoize((version: string) => ({ name: releaseName(questionnaires.bundleOf(version).hash) }));
  let known: { readonly stored: ReadonlyMap<string, Stored>; readonly at: number } | null = null;

  async function storedAs(name: string): Promise<Stored | undefined> {
    const stored = known?.stored.get(name);
    if (stored !== undefined || (known !== null && Math.abs(world.now() - known.at) < namesKnownFor)) return stored;
    const rows = await store.read.selectFrom("releases").select(["hash", "version"]).execute();
    known = { stored: new Map(rows.map((row) => [releaseName(row.hash), row])), at: world.now() };
    return known.stored.get(name);
  }

  /** Visitors of a shipped release use the shipped version. */
  const isOlder = (name: string, { version }: Stored): boolean =>
    questionnaires.versions.includes(version) && shippedName(version).name !== name;

  async function open(name: string, stored: Stored): Promise<PageRelease | null> {
    if (!isOlder(name, stored)) return null;
    const { hash, version } = stored;
    const { bundle } = await store.read.selectFrom("releases").select("bundle").where("hash", "=", hash).executeTakeFirstOrThrow();
    const questionnaireIn = memoize((locale: Locale) => questionnaires.questionnaireOf(bundle, locale));
    if (!fits.has(name)) fits.set(name, await isValid(name, version, questionnaireIn));
    return fits.get(name) === true ? { name, version, questionnaireIn } : null;
  }

  async function isValid(name: string, version: string, questionnaireIn: PageRelease["questionnaireIn"]): Promise<boolean> {
    try {
      for (const locale of locales) {
        questionnaireIn(locale);
        // Each takes some ten milliseconds. Other work runs in between.
        await nextTurn();
      }
      return true;
    } catch (err) {
      log.warn({ err, release: name, version }, "A release no longer fits this code: its visitors continue with the newer one");
      return false;
    }
  }

  return {
    async has(name) {
      const stored = releaseNamePattern.test(name) ? await storedAs(name) : undefined;
      return stored !== undefined && isOlder(name, stored);
    },
    async find(name) {
      if (!releaseNamePattern.test(name)) return null;
      const ready = opened.get(name);
      if (ready !== undefined) return ready.release;
      const stored = await storedAs(name);
      if (stored === undefined) return null;
      return oneAtATime(1, async () => {
        const openedMeanwhile = opened.get(name);
        if (openedMeanwhile !== undefined) return openedMeanwhile.release;
        const release = await open(name, stored);
        opened.set(name, { release });
        return release;
      });
    },
  };
}
