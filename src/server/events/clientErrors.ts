/**
 * Errors of visitors' pages, counted by cause. Only the id of the visit is stored, and only with consent to statistics: the studio replays
 * the latest visit.
 */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { createHash } from "node:crypto";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { allowingStatistics } from "./statisticsConsent.ts";

export interface ClientError {
  readonly message: string;
  /** The stack, with places in our sources; '' without one. */
  readonly stack: string;
  readonly appVersion: string;
  readonly browser: string;
  readonly route: string;
  readonly questionnaire: string;
  readonly device: string | null;
}

const longest = { message: 300, place: 200, stack: 6_000, word: 100 } as const;
/** Above this number of causes a day, further ones are counted as one. Made-up errors thus cannot fill the table. */
const mostCausesADay = 300;
const mostKindsOfCause = 500;
const dayMs = 86_400_000;
const otherCause = "others";

const isUuid = (word: string): boolean => word.length === 36 && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(word);

/** Replaces e-mail addresses in a message. */
export const withoutAddresses = (message: string): string =>
  message.replaceAll(/[^\s"']+/g, (word) => (word.includes("@") ? "(e-mail)" : word));

/** Whether a word of a stack is a function and its file as Firefox and Safari write them, `step@https://…`, and no address. */
function isFrame(word: string): boolean {
  const file = word.slice(word.indexOf("@") + 1);
  return file === "" || (/^https?:\/\//.test(file) && !file.includes("@"));
}
/** Replaces e-mail addresses in a stack: its first line repeats the message. */
export const stackWithoutAddresses = (stack: string): string =>
  stack.replaceAll(/[^\s"'()<>]+/g, (word) => (word.includes("@") && !isFrame(word) ? "(e-mail)" : word));

/** Removes a visit's own data from a message (addresses, ids, numbers, quoted words), so that the same error has the same message in every visit. */
export function messageOf(message: string): string {
  return withoutAddresses(message.slice(0, 2_000).replaceAll(/\bhttps?:\/\/[^\s"')]+/gi, "(address)"))
    .replaceAll(/[0-9a-f-]+/gi, (word) => (isUuid(word) ? "(id)" : word))
    .replaceAll(/\b\d{3,}\b/g, "(number)")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longest.message);
}

/** The first line of a stack that names a file. */
export function placeOf(stack: string): string {
  const line = stack.split("\n").find((each) => /:\d+:\d+\)?$/.test(each.trim()));
  const file =
    (line ?? "")
      .split(/[()\s]/)
      .findLast((word) => /:\d+:\d+$/.test(word))
      ?.replace(/:\d+$/, "") ?? "";
  return file.replace(/[?#][^:]*/, "").slice(-longest.place);
}

export async function keepClientError(
  { store, world }: { readonly store: Store; readonly world: World },
  error: ClientError,
): Promise<void> {
  const now = world.now();
  const message = messageOf(error.message) || "(no message)";
  const place = placeOf(error.stack);
  // The line number may change with each release; the file seldom does.
  const own = createHash("sha256")
    .update(`${message}\n${place.replace(/:\d+$/, "")}`)
    .digest("hex")
    .slice(0, 24);
  await store.write(async (queries) => {
    const known = await queries.selectFrom("client_errors").select("cause").where("cause", "=", own).executeTakeFirst();
    const { n } = await queries
      .selectFrom("client_errors")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("first_at", ">", now - dayMs)
      .executeTakeFirstOrThrow();
    const isOther = known === undefined && Number(n) >= mostCausesADay;
    const cause = isOther ? otherCause : own;
    const told = isOther
      ? { message: "More causes than are told apart in a day", place: "", stack: "" }
      : { message, place, stack: placesIn(error.stack).slice(0, longest.stack) };
    const visit = await replayableVisit(queries, error);
    await queries
      .insertInto("client_errors")
      .values({ cause, ...told, ...visit, first_at: now, last_at: now })
      .onConflict((conflict) => conflict.column("cause").doUpdateSet({ last_at: now, stack: told.stack, ...visit }))
      .execute();
    const kinds = await queries
      .selectFrom("client_error_counts")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("cause", "=", cause)
      .where("day", "=", dayOf(now))
      .executeTakeFirstOrThrow();
    const word = (text: string) => (Number(kinds.n) >= mostKindsOfCause ? "other" : withoutAddresses(text).slice(0, longest.word));
    await queries
      .insertInto("client_error_counts")
      .values({
        cause,
        day: dayOf(now),
        app_version: word(error.appVersion),
        browser: word(error.browser),
        route: word(error.route),
        questionnaire: word(error.questionnaire),
        count: 1,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["cause", "day", "app_version", "browser", "route", "questionnaire"])
          .doUpdateSet((row) => ({ count: row("client_error_counts.count", "+", 1) })),
      )
      .execute();
  });
}

/** The visit that a report comes from. Empty without the visitor's consent to statistics. */
async function replayableVisit(queries: Queries, { device, questionnaire }: ClientError) {
  if (device === null || questionnaire === "") return {};
  const allowing = await allowingStatistics(queries, [device]);
  if (!allowing.has(device)) return {};
  return { device_id: device, version: questionnaire.slice(0, longest.word) };
}

/** The stack's places only: the lines before them may quote what the visitor typed. */
const placesIn = (stack: string): string =>
  stack
    .split("\n")
    .filter((line) => /:\d+\)?$/.test(line.trim()))
    .map((line) => line.replaceAll(/[?#][^\s:)]*/g, ""))
    .join("\n");
