/** The checker's result for each shipped release, stored by release and code (decision 152). */
import type { FastifyBaseLogger } from "fastify";
import type { World } from "../base/world.ts";
import type { Store } from "../store/store.ts";
import { type Proof, proveVersions } from "./proving.ts";

export interface ReleaseProof extends Proof {
  readonly at: number;
}

export interface Proofs {
  /** Proofs by hash. A missing proof is being computed. */
  readonly proofs: () => Promise<ReadonlyMap<string, ReleaseProof>>;
  /** Stops running proofs. */
  readonly stop: () => Promise<void>;
}

interface Proved {
  readonly hash: string;
  readonly version: string;
}

interface ProofsParts {
  readonly store: Store;
  readonly world: World;
  /** Identifies the checker's code: when it changes, releases are proved again. */
  readonly code: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly shipped: () => Promise<readonly Proved[]>;
}

export function createProofs({ store, world, code, log, shipped }: ProofsParts): Proofs {
  const ending = new AbortController();
  let proving: Promise<void> | null = null;

  const prove = (missing: readonly Proved[]): Promise<void> =>
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
