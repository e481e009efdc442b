/** Tables of what visitors can be given; db/migrations/*_releases makes them. */
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
  /** What looked. */
  code: string;
  /** JSON. */
  proof: string;
  at: number;
}
export interface RolloutsTable {
  locale: string;
  number: number;
  /** JSON, by version. */
  weights: string;
  /** Null: the settings. */
  operator_name: string | null;
  reason: string;
  at: number;
}

export interface ReleaseTables {
  releases: ReleasesTable;
  release_proofs: ReleaseProofsTable;
  rollouts: RolloutsTable;
}
