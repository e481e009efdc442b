/** The shipped versions as releases, identified by content hash in every process and installation. */
import type { FastifyBaseLogger } from "fastify";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";
import { type Proof, proveVersions } from "./proving.ts";

export interface Release {
  readonly hash: string;
  readonly version: string;
  /** Number within the version: 1, 2, 3, … */
  readonly number: number;
  readonly at: number;
}

/** Proofs of the releases; a missing one is still running. */
export interface ReleaseProof extends Proof {
  readonly at: number;
}

export interface Releases {
  /** The shipped releases by version. Registers them on the first call. */
  readonly shipped: () => Promise<readonly Release[]>;
  /** Proofs by hash. A missing proof is being made and will be there later. */
  readonly proofs: () => Promise<ReadonlyMap<string, ReleaseProof>>;
  /** Stops running proofs. */
  readonly stop: () => Promise<void>;
}

interface ReleasesParts {
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  /** Identifies the checker's code: after a change, releases are proved again. */
  readonly code: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

/** When processes of two builds register a version at once, the second takes the next number. */
const mostTries = 5;

export function createReleases({ store, world, questionnaires, code, log }: ReleasesParts): Releases {
  let entered: Promise<readonly Release[]> | null = null;
  const ending = new AbortController();
  let proving: Promise<void> | null = null;

  async function enter(): Promise<readonly Release[]> {
    const shipped: Release[] = [];
    for (const version of questionnaires.versions) shipped.push(await enterVersion(version));
    return shipped;
  }

  async function enterVersion(version: string): Promise<Release> {
    const { hash, json } = questionnaires.bundleOf(version);
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
    throw new Error(`The release of version ${version} could not be entered`);
  }

  async function shipped(): Promise<readonly Release[]> {
    // A failure is not cached: the next call tries again.
    entered ??= enter().catch((error: unknown) => {
      entered = null;
      throw error;
    });
    return entered;
  }

  const prove = (missing: readonly Release[]): Promise<void> =>
    proveVersions(
      missing.map(({ version }) => version),
      async ({ version, proof }) => {
        const release = missing.find((each) => each.version === version);
        if (release !== undefined) await keepProof(release.hash, JSON.stringify(proof));
      },
      ending.signal,
    )
      // A failed proof is tried again on the next call.
      .catch((err: unknown) => log.warn({ err }, "Versions could not be proved"))
      .finally(() => (proving = null));

  async function keepProof(hash: string, proof: string): Promise<void> {
    await store.write((queries) =>
      queries
        .insertInto("release_proofs")
        .values({ hash, code, proof, at: world.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  return {
    shipped,
    async proofs() {
      const releases = await shipped();
      const rows = await store.read.selectFrom("release_proofs").selectAll().where("code", "=", code).execute();
      const known = new Map(rows.map(({ hash, proof, at }): [string, ReleaseProof] => [hash, { ...JSON.parse(proof), at: Number(at) }]));
      const missing = releases.filter(({ hash }) => !known.has(hash));
      if (missing.length > 0 && !ending.signal.aborted) proving ??= prove(missing);
      return known;
    },
    async stop() {
      ending.abort();
      await proving;
    },
  };
}
