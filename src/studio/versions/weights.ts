/** Weights as shares. */
import type { Rollout } from "../contract/versions.ts";
import { inWords } from "../parts/formats.ts";

export type Weights = Rollout["weights"];

export interface Share {
  readonly version: string;
  /** A fraction of 1. */
  readonly share: number;
}

/** The shares of all versions with a weight, sorted by version. */
export function sharesOf(weights: Weights): readonly Share[] {
  const given = Object.entries(weights).filter(([, weight]) => weight > 0);
  const all = given.reduce((sum, [, weight]) => sum + weight, 0);
  return given
    .map(([version, weight]) => ({ version, share: weight / all }))
    .toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

/** "76 at 50%, 89 at 50%" */
export const sharesInWords = (weights: Weights): string =>
  sharesOf(weights)
    .map(({ version, share }) => `${version} at ${inWords.share(share, 0)}`)
    .join(", ");
