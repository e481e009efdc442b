/** Stored proofs of all shipped versions, for tests of something else: proving them takes up to 20 s of CPU time. */
import { versions } from "#content/questionnaires/index.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import type { Store } from "#server/store/store.ts";

/** @param code names the process's build: empty for `createTestApp` */
export const proofsBy = (code: string) => {
  const proof = JSON.stringify({ numbers: "", faults: [], notes: [] });
  return versions.map((version) => ({ hash: shippedQuestionnaires.bundleOf(version).hash, code, proof, at: 0 }));
};

export const storeProofs = (store: Store): Promise<unknown> =>
  store.write((queries) => queries.insertInto("release_proofs").values(proofsBy("")).execute());
