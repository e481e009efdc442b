/** Calls of the Versions screen: what visitors can be given, how sound it is, and who is given what. */
import * as codes from "#core/errorCodes.ts";
import { drawnLocales, locales } from "#core/locales.ts";
import * as v from "valibot";
import type { StudioCalls } from "./call.ts";
import { reasonSchema } from "./operators.ts";

/** What one visitor of so many gets: whole shares are enough, and a typing error is no million. */
const mostWeight = 1_000;
const version = v.pipe(v.string(), v.minLength(1), v.maxLength(20));
const weights = v.record(version, v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(mostWeight)));
const locale = v.picklist(locales);
const drawn = v.picklist(drawnLocales);

const rolloutSchema = v.object({
  locale: drawn,
  number: v.number(),
  weights: v.record(v.string(), v.number()),
  /** Null: the settings and the defaults of the versions. */
  by: v.nullable(v.string()),
  reason: v.string(),
  at: v.number(),
});
export type Rollout = v.InferOutput<typeof rolloutSchema>;

const versionSchema = v.object({
  version: v.string(),
  hypothesis: v.string(),
  /** What it changes to find out. */
  changes: v.string(),
  /** Where it lives, when it is not ours. */
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
      /** In which it differs from the usual. */
      traits: v.array(v.string()),
      defaultIn: v.array(locale),
      embeddedIn: v.array(locale),
      /** Null: the checker still looks. */
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
      /** One a locale: what counts now. */
      current: v.array(rolloutSchema),
      /** Newest first, the current ones among them. */
      history: v.array(rolloutSchema),
    }),
    errors: [],
  },
  /** What one version changes against another, a line each, in English. */
  versionDifferences: {
    method: "GET",
    role: "viewer",
    input: v.object({ from: version, to: version }),
    output: v.object({ lines: v.array(v.string()) }),
    errors: [codes.invalidInput, codes.notFound],
  },
  /** Sets a locale's weights for who comes from now on. `after` is the number that counted when the operator decided. */
  rolloutSet: {
    method: "POST",
    role: "publisher",
    input: v.object({ locale: drawn, weights, after: v.pipe(v.number(), v.integer(), v.minValue(0)), reason: reasonSchema }),
    output: v.object({ number: v.number() }),
    errors: [codes.invalidInput, codes.newerExists],
  },
} as const satisfies StudioCalls;
