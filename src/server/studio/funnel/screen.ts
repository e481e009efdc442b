/** Details of one screen: leavers, times, answers, picture. */
import { pictureParameters, pictureQuery, releaseParameter } from "#core/release.ts";
import { buildPath } from "#core/routes.ts";
import { isLocale, type Locale } from "#core/locales.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import { keptCounts, partsOf } from "../../events/funnelDays.ts";
import type { Reading } from "../../events/journeys.ts";
import { binStarts } from "../../events/seconds.ts";
import { createTally, StepTally } from "../../events/tally.ts";
import type { VisitorFilter } from "../../events/visitors.ts";
import { unknownValue } from "./visitorFilter.ts";
import { optionWords, titleOf } from "./words.ts";

type Screen = Omit<OutputOf<(typeof funnelCalls)["funnelScreen"]>, "countedAt">;

/** Ends of the histogram's bins, seconds. Each is an element of `binStarts`. */
const binEnds = [2, 4, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180] as const;
const cuts = ["platform", "country", "locale"] as const;

interface ScreenCounts extends Pick<Screen, "times" | "medianSeconds" | "leftBy" | "watchable"> {
  /** Visitors by the option they chose last. */
  readonly chosen: ReadonlyMap<number, number>;
}

export async function countScreen(
  { queries, journeys }: Reading,
  filter: VisitorFilter,
  questionId: number,
  now: number,
): Promise<ScreenCounts> {
  const whole = new StepTally();
  const lost = new Map<string, Lost>();
  let watchable = 0;
  const parts = await partsOf(queries, filter);
  for await (const kept of keptCounts(queries, filter, parts, true)) {
    const tally = createTally(now, questionId);
    tally.addKept(kept.counts);
    const step = tally.steps.get(questionId);
    if (step === undefined) continue;
    whole.addStep(step);
    addLost(lost, kept, step);
    if (kept.consent === "yes") watchable += step.left;
  }
  const sums = await journeys.sums(filter, parts.spans, { by: [...cuts, "consent"], steps: { now, only: questionId, medians: true } });
  const counted = sums.whole.tally.steps.get(questionId);
  if (counted !== undefined) whole.addStep(counted);
  for (const { values, tally } of sums.parts) {
    const step = tally.steps.get(questionId);
    if (step === undefined) continue;
    addLost(lost, values, step);
    if (values.consent === "yes") watchable += step.left;
  }
  return {
    chosen: whole.chosen,
    times: displayed(whole.bins()),
    medianSeconds: whole.median(),
    watchable,
    leftBy: [...lost].map(([key, counts]) => {
      const [value = "platform", words = ""] = key.split(" ");
      return { value: cuts.find((cut) => cut === value) ?? "platform", words, ...counts };
    }),
  };
}

/** Adds titles and the options' texts in this version. */
export function namedScreen(question: Question, { version, locale }: VisitorFilter, { chosen, ...counts }: ScreenCounts): Screen {
  const answers = question.options.map(({ id, description }) => ({
    option: id,
    words: optionWords(description, id),
    visitors: chosen.get(id) ?? 0,
  }));
  return {
    title: titleOf(question),
    picture: pictureOf(version, question.id, mostSeen(counts.leftBy) ?? locale?.find(isLocale) ?? "en-US"),
    answers,
    answered: answers.reduce((sum, { visitors }) => sum + visitors, 0),
    ...counts,
  };
}

/** The locale in which most of the counted visitors saw the screen; of equal ones the first by name, whichever database counted. */
function mostSeen(leftBy: ScreenCounts["leftBy"]): Locale | undefined {
  const seen = leftBy.filter(({ value }) => value === "locale").toSorted((a, b) => b.entered - a.entered || a.words.localeCompare(b.words));
  return seen.map(({ words }) => words).find(isLocale);
}

/** What a picture shows: the answers, the release, and the visitor's country and platform. */
interface Pictured {
  /** The answers as a link has them (`encodeAnswers`). */
  readonly answers?: string;
  /** Default: the shipped release. */
  readonly release?: string | undefined;
  /** Default: the usual ones of the locale. */
  readonly country?: string | null;
  readonly platform?: string | null;
}

/** Address of the real page, shown in a frame without scripts. */
export function pictureOf(version: string, questionId: number, locale: Locale, { answers, release, ...visitor }: Pictured = {}): string {
  const query = new URLSearchParams();
  if (answers !== undefined && answers !== "") query.set("a", answers);
  if (release !== undefined) query.set(releaseParameter, release);
  for (const name of pictureParameters) if (visitor[name] != null) query.set(name, visitor[name]);
  const asked = query.size > 0 ? `${query}&${pictureQuery}` : pictureQuery;
  return `${buildPath("questionnaire/question", locale, { version, question: String(questionId) })}?${asked}`;
}

type Lost = Pick<StepTally, "left" | "entered">;

function addLost(lost: Map<string, Lost>, started: Readonly<Record<(typeof cuts)[number], string | null>>, more: Lost): void {
  for (const cut of cuts) {
    const key = `${cut} ${started[cut] || unknownValue}`;
    const { left, entered } = lost.get(key) ?? { left: 0, entered: 0 };
    lost.set(key, { left: left + more.left, entered: entered + more.entered });
  }
}

/** Merges bins so that each is wide enough to see. */
function displayed(bins: Uint32Array): Screen["times"] {
  const counts = [...binEnds, null].map(() => 0);
  for (const [bin, visitors] of bins.entries()) {
    const end = binEnds.findIndex((upTo) => (binStarts[bin] ?? 0) < upTo);
    const place = end === -1 ? binEnds.length : end;
    counts[place] = (counts[place] ?? 0) + visitors;
  }
  return counts.map((visitors, place) => ({ upTo: binEnds[place] ?? null, visitors }));
}
