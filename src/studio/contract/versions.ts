/** Calls of the Versions screen: releases, their proofs, and the weights of each locale. */
import * as codes from "#core/errorCodes.ts";
import { raffleLocales, locales } from "#core/locales.ts";
import * as v from "valibot";
import type { StudioCalls } from "./call.ts";
import { reasonSchema } from "./operators.ts";

/** Upper limit of a weight, against typing errors. */
const mostWeight = 1_000;
const version = v.pipe(v.string(), v.minLength(1), v.maxLength(20));
const weights = v.record(version, v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(mostWeight)));
const locale = v.picklist(locales);
const drawn = v.picklist(raffleLocales);

const rolloutSchema = v.object({
  locale: drawn,
  number: v.number(),
  weights: v.record(v.string(), v.number()),
  /** The operator; null when settings or defaults set the weights. */
  by: v.nullable(v.string()),
  reason: v.string(),
  at: v.number(),
});
export type Rollout = v.InferOutput<typeof rolloutSchema>;

const versionSchema = v.object({
  version: v.string(),
  hypothesis: v.string(),
  /** What the version changes to test its hypothesis. */
  changes: v.string(),
  /** The address of a version on another site. */
  elsewhere: v.nullable(v.string()),
  release: v.nullable(
    v.object({
      /** SHA-256 of the version as data. */
      hash: v.string(),
      number: v.number(),
      at: v.number(),
      screens: v.number(),
      theme: v.string(),
      products: v.array(v.string()),
      provider: v.string(),
      /** Traits in which it differs from the default. */
      traits: v.array(v.string()),
      defaultIn: v.array(locale),
      embeddedIn: v.array(locale),
      /** Null while the checker is running. */
      proof: v.nullable(v.object({ numbers: v.string(), faults: v.array(v.string()), notes: v.array(v.string()), at: v.number() })),
    }),
  ),
});
export type Version = v.InferOutput<typeof versionSchema>;

export const versionsCalls = {
  versions: {
    method: "GET",
    role: "viewer",
    input: v.object({}),
    output: v.object({
      versions: v.array(versionSchema),
      /** The weights in effect, one entry per locale. */
      current: v.array(rolloutSchema),
      /** All changes, newest first, including the current ones. */
      history: v.array(rolloutSchema),
    }),
    errors: [],
  },
  /** Differences between two versions, one line each, in English. */
  versionDifferences: {
    method: "GET",
    role: "viewer",
    input: v.object({ from: version, to: version }),
    output: v.object({ lines: v.array(v.string()) }),
    errors: [codes.invalidInput, codes.notFound],
  },
  /** Sets a locale's weights for new visitors. `after`: the number of the weights that the operator saw, against lost updates. */
  rolloutSet: {
    method: "POST",
    role: "publisher",
    input: v.object({ locale: drawn, weights, after: v.pipe(v.number(), v.integer(), v.minValue(0)), reason: reasonSchema }),
    output: v.object({ number: v.number() }),
    errors: [codes.invalidInput, codes.newerExists],
  },
} as const satisfies StudioCalls;
