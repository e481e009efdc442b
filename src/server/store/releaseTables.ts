/** Tables of releases and their weights. db/migrations/*_releases creates them. */
export interface ReleasesTable {
  /** SHA-256 of the bundle. */
  hash: string;
  version: string;
  number: number;
  /** Canonical JSON (`content/questionnaires/bundle.ts`). */
  bundle: string;
  at: number;
}
export interface ReleaseProofsTable {
  hash: string;
  /** The code that made the proof. */
  code: string;
  /** JSON. */
  proof: string;
  at: number;
}
export interface RolloutsTable {
  locale: string;
  number: number;
  /** JSON: the weight of each version. */
  weights: string;
  /** Null when the settings set the weights. */
  operator_name: string | null;
  reason: string;
  at: number;
}

export interface ReleaseTables {
  releases: ReleasesTable;
  release_proofs: ReleaseProofsTable;
  rollouts: RolloutsTable;
}
