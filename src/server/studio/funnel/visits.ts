/** Visits behind a number, and one visit step by step. They contain no personal data. */
import { isLocale } from "#core/locales.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import * as v from "valibot";
import { keptCounts, type Parts, partsOf, type Span } from "../../events/funnelDays.ts";
import { hourMs } from "../../events/funnelHours.ts";
import type { Reading } from "../../events/journeys.ts";
import { allowingStatistics } from "../../events/statisticsConsent.ts";
import { createTally, fateAt, idleAfter } from "../../events/tally.ts";
import type { VisitorFilter } from "../../events/visitors.ts";
import type { Releases } from "../../releases/releases.ts";
import type { Queries } from "../../store/schema.ts";
import { pictureOf } from "./screen.ts";
import { optionWords, titleOf } from "./words.ts";

type Visits = Omit<OutputOf<(typeof funnelCalls)["funnelVisits"]>, "countedAt" | "title">;
type Visit = OutputOf<(typeof funnelCalls)["funnelVisit"]>;

const mostVisits = 100;
/** The most visitors of stored days and hours that are read for the list. The counts include all. */
const mostLooked = 20_000;

/** The visits that left at this screen, the latest first. Those without consent to statistics are only counted. */
export async function endedVisits({ queries, journeys }: Reading, filter: VisitorFilter, questionId: number, now: number): Promise<Visits> {
  const parts = await partsOf(queries, filter);
  const counts = { left: 0, allowed: 0 };
  for await (const { counts: kept, consent } of keptCounts(queries, filter, parts, true)) {
    const tally = createTally(now, questionId);
    tally.addKept(kept);
    const left = tally.steps.get(questionId)?.left ?? 0;
    counts.left += left;
    if (consent === "yes") counts.allowed += left;
  }
  const latest = createLatest();
  const lookInto = async (span: Span) => {
    const found = { left: 0, allowed: 0, looked: 0 };
    const visitors = journeys.visitors({ ...filter, ...span }, ["consent", "locale", "country", "platform"], questionId);
    for await (const { journey, device, consent, locale, country, platform } of visitors) {
      found.looked += 1;
      if (fateAt(journey, questionId, now) !== "left") continue;
      found.left += 1;
      if (consent !== "yes") continue;
      found.allowed += 1;
      latest.add({ visit: device, startedAt: journey.startedAt, lastAt: journey.lastAt, locale, country, platform });
    }
    return found;
  };
  for (const span of parts.spans) {
    const { left, allowed } = await lookInto(span);
    counts.left += left;
    counts.allowed += allowed;
  }
  let looked = 0;
  let since: number | null = null;
  for (const span of parts.kept.toReversed().flatMap(hoursOf)) {
    if (latest.isFull() || looked > mostLooked) {
      since = span.to ?? null;
      break;
    }
    looked += (await lookInto(span)).looked;
  }
  return { ...counts, since, visits: latest.visits() };
}

/** A day with more visitors is read hour by hour. */
const busyDay = 5_000;

/** Splits a busy day into hours, the latest first: a few of them often fill the list. */
function hoursOf({ from, to, visitors }: Parts["kept"][number]): readonly Span[] {
  if (visitors < busyDay) return [{ from, to }];
  return Array.from({ length: (to - from) / hourMs }, (_, n) => ({ from: to - (n + 1) * hourMs, to: to - n * hourMs }));
}

function createLatest() {
  let visits: Visits["visits"] = [];
  const newest = () => visits.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, mostVisits);
  return {
    add(visit: Visits["visits"][number]) {
      visits.push(visit);
      if (visits.length >= 2 * mostVisits) visits = newest();
    },
    isFull: () => visits.length >= mostVisits,
    visits: newest,
  };
}

const shownSchema = v.object({
  questionnaire: v.optional(v.string()),
  locale: v.optional(v.string()),
  questionId: v.optional(v.number()),
  optionId: v.optional(v.number()),
  schedule: v.optional(v.number()),
  stage: v.optional(v.string()),
});
/** More events than the longest visit has, even if the visitor steps back again and again. A device that sends more is not a visitor. */
const mostEvents = 2_000;

type Answer = State["selectedOptions"][number];

/** Collects the answers and the schedule up to each moment. Changing an answer removes those that followed it. Days are in no event. */
function createAnswers() {
  let answers: readonly Answer[] = [];
  let schedule: number | undefined;
  return {
    chooseSchedule(id: number) {
      schedule = id;
    },
    give(given: Answer) {
      const before = answers.findIndex(({ questionId }) => questionId === given.questionId);
      answers = [...(before < 0 ? answers : answers.slice(0, before)), given];
    },
    now: () =>
      [...answers.map(({ questionId, optionId }) => `${questionId}.${optionId}`), ...(schedule === undefined ? [] : [`s${schedule}`])].join(
        "~",
      ),
  };
}

/** A visit, and what is needed to read it. */
interface VisitAsked {
  readonly queries: Queries;
  readonly releases: Pick<Releases, "questionnaireFor">;
  readonly version: string;
  readonly device: string;
  readonly now: number;
}

/**
 * Events in the order in which the device made them. Their times alone may say otherwise: the server corrects a batch's times by its own clock, so they
 * are late by as long as the batch was on its way.
 */
function inOrder<Row extends { readonly happened_at: number; readonly sequence: number | null }>(rows: readonly Row[]): readonly Row[] {
  const place = ({ sequence, happened_at }: Row) => Number(sequence ?? happened_at);
  let latest = 0;
  return rows
    .toSorted((a, b) => place(a) - place(b))
    .map((row) => ({ ...row, happened_at: (latest = Math.max(latest, Number(row.happened_at))) }));
}

/** A device's events in the version, in order. @returns null when no visit may be replayed */
export async function visitOf({ queries, releases, version, device, now }: VisitAsked): Promise<Visit | null> {
  const journey = await queries
    .selectFrom("journeys")
    .select(["started_at", "last_at", "locale", "country", "platform", "campaign", "release"])
    .where("device_id", "=", device)
    .where("version", "=", version)
    .executeTakeFirst();
  const allowing = await allowingStatistics(queries, [device]);
  if (journey === undefined || !allowing.has(device)) return null;
  const rows = await queries
    .selectFrom("events")
    .select(["event_type", "payload", "happened_at", "sequence"])
    .where("device_id", "=", device)
    .orderBy("happened_at")
    .limit(mostEvents)
    .execute();
  const { started_at, last_at, release: begunOn, ...started } = journey;
  const release = begunOn ?? undefined;
  const questionnaire = await releases.questionnaireFor({ id: version, release }, "en-US").catch(() => null);
  const questions = new Map(questionnaire?.questions.map((question) => [question.id, question]));
  const pictured = started.locale !== null && isLocale(started.locale) ? started.locale : "en-US";
  const answers = createAnswers();
  return {
    version,
    startedAt: started_at,
    lastAt: last_at,
    left: now - last_at > idleAfter,
    ...started,
    events: inOrder(rows).flatMap(({ event_type, payload, happened_at }) => {
      const { questionnaire: of, questionId = null, optionId, schedule, stage } = v.parse(shownSchema, JSON.parse(payload));
      if (of !== undefined && of !== version) return [];
      const question = questionId === null ? undefined : questions.get(questionId);
      const option = question?.options.find(({ id }) => id === optionId);
      const picture =
        question === undefined
          ? null
          : pictureOf(version, question.id, pictured, {
              answers: answers.now(),
              release,
              country: started.country,
              platform: started.platform,
            });
      if (schedule !== undefined) answers.chooseSchedule(schedule);
      if (questionId !== null && optionId !== undefined) answers.give({ questionId, optionId });
      return [
        {
          at: happened_at,
          type: event_type,
          questionId,
          title: question === undefined ? null : titleOf(question),
          answer:
            optionId === undefined
              ? (stage ?? null)
              : option === undefined
                ? `Option ${optionId}`
                : optionWords(option.description, option.id),
          picture,
        },
      ];
    }),
  };
}
