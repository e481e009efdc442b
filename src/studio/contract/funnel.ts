/** Calls of the studio's Funnel. */
import * as codes from "#core/errorCodes.ts";
import * as v from "valibot";
import type { StudioCalls } from "./call.ts";

/** A list is written `a,b`; "-" stands for unknown. */
const list = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(500),
    v.transform((text) => (text === "" ? [] : text.split(","))),
  ),
);
const day = v.optional(v.pipe(v.string(), v.isoDate()));
const version = v.pipe(v.string(), v.regex(/^[a-z0-9]{1,16}$/));
const questionId = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number));

/** Key of a visit: a device in one version. */
export const replayedVisit = v.object({ visit: v.string(), version: v.string() });

/** Filters besides the days. */
export const traits = ["release", "locale", "country", "platform", "campaign", "came", "consent"] as const;
/** Filters of every count: visitors who started on these UTC days, both inclusive. */
export const funnelFilter = {
  from: day,
  to: day,
  /** The version's release on which they started. */
  release: list,
  locale: list,
  country: list,
  platform: list,
  campaign: list,
  /** `new` or `returning`. */
  came: list,
  /** Consent to statistics: `yes`, `no`, or `-` when nothing was chosen. */
  consent: list,
} as const;

const step = v.object({
  questionId: v.number(),
  title: v.string(),
  entered: v.number(),
  wentOn: v.number(),
  left: v.number(),
  stillThere: v.number(),
  medianSeconds: v.nullable(v.number()),
  /** Whether the funnel ends here by design, as where a visitor takes the plan by mail. */
  isEnd: v.boolean(),
});
const counted = v.object({
  version: v.string(),
  visitors: v.number(),
  began: v.number(),
  purchases: v.number(),
  /** Number of days whose stored counts are out of date. They are recounted within minutes. */
  changedDays: v.number(),
  /** In the questionnaire's order. */
  steps: v.array(step),
});
export type Counted = v.InferOutput<typeof counted>;
export type Step = v.InferOutput<typeof step>;

const word = v.nullable(v.string());
const started = { locale: word, country: word, platform: word } as const;
const option = v.object({ value: v.string(), visitors: v.number() });
const bin = v.object({
  /** Upper bound in seconds; null for the last bin. */
  upTo: v.nullable(v.number()),
  visitors: v.number(),
});

export const funnelCalls = {
  /**
   * The values of each filter, with the number of visitors who match all other filters. Default version: the one with most of them.
   * The filter of releases does not apply to other versions, since a release belongs to one version.
   */
  funnelFilters: {
    method: "GET",
    role: "viewer",
    input: v.object({ version: v.optional(version), ...funnelFilter }),
    output: v.object({
      versions: v.array(v.object({ version: v.string(), visitors: v.number(), hypothesis: v.string() })),
      release: v.array(v.object({ ...option.entries, version: word, number: v.nullable(v.number()), at: v.nullable(v.number()) })),
      locale: v.array(option),
      country: v.array(option),
      platform: v.array(option),
      campaign: v.array(option),
      firstDay: v.nullable(v.string()),
    }),
    errors: [codes.invalidInput],
  },
  funnelSteps: {
    method: "GET",
    role: "viewer",
    /** Optionally compared with another version, another release, other days, or all of them. */
    input: v.object({ version, beside: v.optional(version), besideFrom: day, besideTo: day, besideRelease: list, ...funnelFilter }),
    output: v.object({ countedAt: v.number(), here: counted, beside: v.nullable(counted) }),
    errors: [codes.invalidInput],
  },
  /** One screen: answers, times, and the traits of those who left. */
  funnelScreen: {
    method: "GET",
    role: "viewer",
    input: v.object({ version, questionId, ...funnelFilter }),
    output: v.object({
      countedAt: v.number(),
      title: v.string(),
      /** Address of the real page, in the first of the filter's locales. */
      picture: v.string(),
      answers: v.array(v.object({ option: v.number(), words: v.string(), visitors: v.number() })),
      answered: v.number(),
      times: v.array(bin),
      medianSeconds: v.nullable(v.number()),
      /** Number of those who left and had allowed statistics. Only their visits can be replayed. */
      watchable: v.number(),
      /** All visitors, and those who left, by trait. */
      leftBy: v.array(
        v.object({ value: v.picklist(["locale", "platform", "country"]), words: v.string(), left: v.number(), entered: v.number() }),
      ),
    }),
    errors: [codes.invalidInput, codes.notFound],
  },
  /** The visits of those who left the screen, the latest first. */
  funnelVisits: {
    method: "GET",
    role: "support",
    input: v.object({ version, questionId, ...funnelFilter }),
    output: v.object({
      countedAt: v.number(),
      title: v.string(),
      left: v.number(),
      /** Number of them who allowed statistics. Only their visits can be replayed. */
      allowed: v.number(),
      /** Start of the listed visits: earlier ones are only counted. Null when all are listed. */
      since: v.nullable(v.number()),
      visits: v.array(v.object({ visit: v.string(), startedAt: v.number(), lastAt: v.number(), ...started })),
    }),
    errors: [codes.invalidInput, codes.notFound],
  },
  /** One visit, step by step. */
  funnelVisit: {
    method: "GET",
    role: "support",
    input: v.object({ version, visit: v.pipe(v.string(), v.uuid()) }),
    output: v.object({
      version: v.string(),
      startedAt: v.number(),
      lastAt: v.number(),
      /** Whether the step table counts them as left. */
      left: v.boolean(),
      ...started,
      campaign: v.nullable(v.string()),
      events: v.array(
        v.object({
          at: v.number(),
          type: v.string(),
          questionId: v.nullable(v.number()),
          title: v.nullable(v.string()),
          /** The chosen answer, in words. */
          answer: v.nullable(v.string()),
          picture: v.nullable(v.string()),
        }),
      ),
    }),
    errors: [codes.invalidInput, codes.notFound],
  },
} as const satisfies StudioCalls;
