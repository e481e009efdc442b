/** The shipped versions as releases. A release is identified by its content hash in every process and installation. */
import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { FastifyBaseLogger } from "fastify";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";
import { createOlderReleases, type OlderReleases } from "./older.ts";
import { createProofs, type Proofs } from "./proofs.ts";

export interface Release {
  readonly hash: string;
  readonly version: string;
  /** The number within the version: 1, 2, 3, … */
  readonly number: number;
  readonly at: number;
}

export interface Releases extends Proofs {
  /**
   * Registers the shipped releases, so that later builds can still serve them to visitors who began on them. A failure is logged; `shipped` tries
   * again.
   */
  readonly enter: () => Promise<void>;
  /** The shipped releases by version. Registers them on the first call. */
  readonly shipped: () => Promise<readonly Release[]>;
  /** The release that this code does not ship, by name (`OlderReleases`). */
  readonly older: OlderReleases["find"];
  readonly isOlder: OlderReleases["has"];
  /** The questionnaire that somebody answers: of their release, else of the shipped version. */
  readonly questionnaireFor: (answered: Answered, locale: Locale) => Promise<Questionnaire>;
}

type Answered = Pick<State, "id" | "release">;

interface ReleasesParts {
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  /** Identifies the checker's code: when it changes, releases are proved again. */
  readonly code: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

/** When processes of two builds register a version at once, the second takes the next number. */
const mostTries = 5;

export function createReleases({ store, world, questionnaires, code, log }: ReleasesParts): Releases {
  let entered: Promise<readonly Release[]> | null = null;

  async function enter(): Promise<readonly Release[]> {
    const bundles = questionnaires.versions.map((version) => ({ version, ...questionnaires.bundleOf(version) }));
    const hashes = bundles.map(({ hash }) => hash);
    const rows = await store.read.selectFrom("releases").select(["hash", "number", "at"]).where("hash", "in", hashes).execute();
    const all: Release[] = [];
    for (const bundle of bundles) {
      const { hash, version } = bundle;
      const row = rows.find((each) => each.hash === hash);
      all.push(row === undefined ? await enterVersion(bundle) : { hash, version, number: row.number, at: Number(row.at) });
    }
    return all;
  }

  async function enterVersion({ version, hash, json }: { version: string; hash: string; json: string }): Promise<Release> {
    for (let tries = 0; tries < mostTries; tries++) {
      const known = await store.read.selectFrom("releases").select(["number", "at"]).where("hash", "=", hash).executeTakeFirst();
      if (known !== undefined) return { hash, version, number: known.number, at: Number(known.at) };
      await store.write(async (queries) => {
        const { last } = await queries
          .selectFrom("releases")
          .select((q) => q.fn.coalesce(q.fn.max("number"), q.lit(0)).as("last"))
          .where("version", "=", version)
          .executeTakeFirstOrThrow();
        await queries
          .insertInto("releases")
          .values({ hash, version, number: Number(last) + 1, bundle: json, at: world.now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    }
    throw new Error(`The release of version ${version} could not be registered`);
  }

  async function shipped(): Promise<readonly Release[]> {
    // A failure is not cached: the next call tries again.
    entered ??= enter().catch((error: unknown) => {
      entered = null;
      throw error;
    });
    return entered;
  }

  const { find: older, has: isOlder } = createOlderReleases({ store, world, questionnaires, log });

  return {
    async enter() {
      await shipped().catch((err: unknown) => log.warn({ err }, "The releases could not be registered"));
    },
    shipped,
    older,
    isOlder,
    async questionnaireFor({ id, release }, locale) {
      const own = release === undefined ? null : await older(release);
      return own?.version === id ? own.questionnaireIn(locale) : questionnaires.questionnaireFor(id, locale);
    },
    ...createProofs({ store, world, code, log, shipped }),
  };
}
