/** The visits behind a number: who left a screen, and one of them step by step. Nothing in it says who somebody is. */
import { headingOf, wordsOf } from "#content/questionnaires/review/words.ts";
import { isLocale } from "#core/locales.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import * as v from "valibot";
import type { Questionnaires } from "../../base/questionnaires.ts";
import { fateAt } from "../../events/tally.ts";
import { type VisitorFilter, visitorsOf } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";
import { pictureOf } from "./screen.ts";
import { questionsOf } from "./steps.ts";

type Visits = Omit<OutputOf<(typeof funnelCalls)["funnelVisits"]>, "countedAt" | "title">;
type Visit = OutputOf<(typeof funnelCalls)["funnelVisit"]>;

const mostVisits = 100;

/** Who left the screen, the latest first. Those who did not allow statistics are counted only. */
export async function endedVisits(queries: Queries, filter: VisitorFilter, questionId: number, now: number): Promise<Visits> {
  let left = 0;
  let allowed = 0;
  let visits: Visits["visits"] = [];
  const newest = () => visits.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, mostVisits);
  for await (const { journey, device, consent, locale, country, platform } of visitorsOf(queries, filter)) {
    if (fateAt(journey, questionId, now) !== "left") continue;
    left += 1;
    if (consent !== "yes") continue;
    allowed += 1;
    visits.push({ visit: device, startedAt: journey.startedAt, lastAt: journey.lastAt, locale, country, platform });
    if (visits.length >= 2 * mostVisits) visits = newest();
  }
  return { left, allowed, visits: newest() };
}

const shownSchema = v.object({
  questionnaire: v.optional(v.string()),
  locale: v.optional(v.string()),
  questionId: v.optional(v.number()),
  optionId: v.optional(v.number()),
  stage: v.optional(v.string()),
});
/** More than the longest way with every look back; a device that sends more is no visitor. */
const mostEvents = 2_000;

/** What a device did in the version, in the order in which it did it. @returns null without a visit that may be watched */
export async function visitOf(queries: Queries, questionnaires: Questionnaires, version: string, device: string): Promise<Visit | null> {
  const journey = await queries
    .selectFrom("journeys")
    .select(["started_at", "last_at", "locale", "country", "platform", "campaign"])
    .where("device_id", "=", device)
    .where("version", "=", version)
    .executeTakeFirst();
  const choice = await queries
    .selectFrom("consent_records")
    .select("analytics")
    .where("device_id", "=", device)
    .orderBy("chosen_at", "desc")
    .executeTakeFirst();
  if (journey === undefined || choice?.analytics !== 1) return null;
  const rows = await queries
    .selectFrom("events")
    .select(["event_type", "payload", "happened_at"])
    .where("device_id", "=", device)
    .orderBy("happened_at")
    .orderBy("sequence")
    .limit(mostEvents)
    .execute();
  const questions = new Map(questionsOf(questionnaires, version).map((question) => [question.id, question]));
  const { started_at, last_at, ...started } = journey;
  const pictured = started.locale !== null && isLocale(started.locale) ? started.locale : "en-US";
  return {
    version,
    startedAt: started_at,
    lastAt: last_at,
    ...started,
    events: rows.flatMap(({ event_type, payload, happened_at }) => {
      const { questionnaire, questionId = null, optionId, stage } = v.parse(shownSchema, JSON.parse(payload));
      if (questionnaire !== undefined && questionnaire !== version) return [];
      const question = questionId === null ? undefined : questions.get(questionId);
      const option = question?.options.find(({ id }) => id === optionId);
      return [
        {
          at: happened_at,
          type: event_type,
          questionId,
          title: question === undefined ? null : headingOf(question),
          answer:
            optionId === undefined
              ? (stage ?? null)
              : option === undefined
                ? `Option ${optionId}`
                : wordsOf(option.description) || `Option ${optionId}`,
          picture: question === undefined ? null : pictureOf(version, question.id, pictured),
        },
      ];
    }),
  };
}
