/** One screen of the funnel: who left it, how long it took, what was answered. */
import { headingOf, wordsOf } from "#content/questionnaires/review/words.ts";
import { buildPath } from "#core/routes.ts";
import { isLocale, type Locale } from "#core/locales.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import { type funnelCalls, pictureQuery } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import * as v from "valibot";
import { fateAt, medianOf, secondsAt } from "../../events/tally.ts";
import { type Visitor, type VisitorFilter, visitorsOf } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";
import { unknownValue } from "./asked.ts";

type Screen = Omit<OutputOf<(typeof funnelCalls)["funnelScreen"]>, "countedAt">;

/** Ends of the histogram's bins, seconds. */
const binEnds = [2, 4, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180] as const;
const cuts = ["platform", "country", "locale"] as const;

interface ScreenCounts extends Pick<Screen, "times" | "medianSeconds" | "leftBy"> {
  /** By option, how many visitors chose it last. */
  readonly chosen: ReadonlyMap<number, number>;
}

export async function countScreen(queries: Queries, filter: VisitorFilter, questionId: number, now: number): Promise<ScreenCounts> {
  const seconds: number[] = [];
  const lost = new Map<string, { left: number; entered: number }>();
  const visitors = new Set<string>();
  for await (const visitor of visitorsOf(queries, filter)) {
    const fate = fateAt(visitor.journey, questionId, now);
    if (fate === null) continue;
    visitors.add(visitor.visitor);
    const took = secondsAt(visitor.journey, questionId);
    if (took !== null) seconds.push(took);
    addLost(lost, visitor, fate === "left");
  }
  return {
    chosen: await lastAnswers(queries, filter, questionId, visitors),
    times: binsOf(seconds),
    medianSeconds: medianOf(seconds),
    leftBy: [...lost].map(([key, counts]) => {
      const [value = "platform", words = ""] = key.split(" ");
      return { value: cuts.find((cut) => cut === value) ?? "platform", words, ...counts };
    }),
  };
}

/** As the version words it. */
export function namedScreen(question: Question, { version, locale }: VisitorFilter, { chosen, ...counts }: ScreenCounts): Screen {
  const answers = question.options.map(({ id, description }) => ({
    option: id,
    words: wordsOf(description) || `Option ${id}`,
    visitors: chosen.get(id) ?? 0,
  }));
  return {
    title: headingOf(question),
    picture: pictureOf(version, question.id, locale?.find(isLocale) ?? "en-US"),
    answers,
    answered: answers.reduce((sum, { visitors }) => sum + visitors, 0),
    ...counts,
  };
}

/** Address of the real page, framed without its scripts. */
export function pictureOf(version: string, questionId: number, locale: Locale): string {
  return `${buildPath("questionnaire/question", locale, { version, question: String(questionId) })}?${pictureQuery}`;
}

function addLost(lost: Map<string, { left: number; entered: number }>, visitor: Visitor, left: boolean): void {
  for (const cut of cuts) {
    const key = `${cut} ${visitor[cut] ?? unknownValue}`;
    const counts = lost.get(key) ?? { left: 0, entered: 0 };
    lost.set(key, { left: counts.left + Number(left), entered: counts.entered + 1 });
  }
}

function binsOf(seconds: readonly number[]): Screen["times"] {
  const counts = [...binEnds, null].map(() => 0);
  for (const each of seconds) {
    const end = binEnds.findIndex((upTo) => each < upTo);
    const place = end === -1 ? binEnds.length : end;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((visitors, place) => ({ upTo: binEnds[place] ?? null, visitors }));
}

const answerSchema = v.object({ questionnaire: v.optional(v.string()), questionId: v.number(), optionId: v.number() });
const pageRows = 5_000;

/** The last answer of each of the visitors. */
async function lastAnswers(
  queries: Queries,
  { version, from = 0 }: VisitorFilter,
  questionId: number,
  visitors: ReadonlySet<string>,
): Promise<ReadonlyMap<number, number>> {
  const last = new Map<string, number>();
  let after = { at: from, id: "" };
  for (;;) {
    const rows = await queries
      .selectFrom("events")
      .leftJoin("event_devices", "event_devices.device_id", "events.device_id")
      .select(({ fn }) => ["id", "happened_at", "events.payload", fn.coalesce("event_devices.visitor", "events.device_id").as("visitor")])
      .where("event_type", "=", "QuestionnaireAnswer")
      .where("payload", "like", `%"questionId":${questionId},%`)
      .where("happened_at", ">=", after.at)
      .where(({ eb, or }) => or([eb("happened_at", ">", after.at), eb("id", ">", after.id)]))
      .orderBy("happened_at")
      .orderBy("id")
      .limit(pageRows)
      .execute();
    for (const { payload, visitor } of rows) {
      if (visitor === null || !visitors.has(visitor)) continue;
      const answer = v.parse(answerSchema, JSON.parse(payload));
      if (answer.questionnaire === version && answer.questionId === questionId) last.set(visitor, answer.optionId);
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < pageRows) break;
    after = { at: end.happened_at, id: end.id };
  }
  const counts = new Map<number, number>();
  for (const option of last.values()) counts.set(option, (counts.get(option) ?? 0) + 1);
  return counts;
}
