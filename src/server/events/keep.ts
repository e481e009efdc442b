/** Stores a batch of events and updates what is derived from them, all or nothing (spec 000 §7, send-event). */
import type { SentEvent } from "#core/events.ts";
import { retentionPeriods } from "../base/retentionPeriods.ts";
import { isErased } from "../store/lockAccounts.ts";
import type { Queries } from "../store/schema.ts";
import { dayStart, touchDays } from "./funnelDays.ts";
import { insertOnce } from "./insertOnce.ts";
import { decodeJourney, encodeJourney, fold, type Journey, newJourney } from "./journey.ts";

export interface Batch {
  readonly events: readonly SentEvent[];
  /** Known versions. An unknown version is removed from its event; the event still counts. */
  readonly versions: readonly string[];
  /** The device's id; null when the request named none. */
  readonly device: string | null;
  /** The device's clock when it sent the batch, ms; null when unknown. */
  readonly sentAt: number | null;
  readonly accountUuid: string | null;
  readonly country: string | null;
  readonly receivedAt: number;
}

/** What a row has beside its payload, with its indexes, in bytes. */
const rowBytes = 256;

/** How many kilobytes these events take in the database, roughly; at least one. */
export function kilobytesOf(events: readonly SentEvent[]): number {
  const bytes = events.reduce((sum, { payload }) => sum + rowBytes + Buffer.byteLength(JSON.stringify(payload)), 0);
  return Math.ceil(bytes / 1_000);
}

/** Stores events within the caller's write. @returns the number of new events: the same id counts once */
export async function keepEvents(queries: Queries, received: Batch): Promise<number> {
  const erased = received.accountUuid !== null && (await isErased(queries, received.accountUuid));
  // The events still count, without the person.
  const batch = erased ? { ...received, device: null, accountUuid: null } : received;
  const { device, receivedAt } = batch;
  const ahead = batch.sentAt === null ? 0 : batch.sentAt - receivedAt;
  const placed = batch.events.map((event) => {
    const said = Date.parse(event.at) - ahead;
    // A time in the future or before the retention period is wrong. It must not be stored, because the stored days of the funnel begin with
    // the earliest start.
    const happenedAt = said > receivedAt || said < receivedAt - retentionPeriods.events ? receivedAt : said;
    const { questionnaire: named } = event.payload;
    const version = named !== undefined && batch.versions.includes(named) ? named : undefined;
    return { ...event, version, happenedAt, place: event.sequence ?? happenedAt };
  });
  const others = await otherAccountsIn(queries, batch);
  const added = await insertOnce(
    queries,
    placed.map(({ id, eventType, payload, version, happenedAt, sequence }) => ({
      id,
      event_type: eventType,
      account_uuid: payload.uuid !== undefined && others.has(payload.uuid) ? null : batch.accountUuid,
      device_id: device,
      country: batch.country ?? payload.country ?? null,
      payload: JSON.stringify({ ...payload, ...(erased && { uuid: undefined }), questionnaire: version }),
      happened_at: happenedAt,
      sequence: sequence ?? null,
    })),
    { receivedAt, ahead },
  );
  if (device === null || added.size === 0) return added.size;

  const news = placed.filter(({ id }) => added.has(id));
  const last = news.reduce((a, b) => (b.place > a.place ? b : a));
  const visitor = batch.accountUuid ?? last.payload.uuid;
  const countsAlone =
    visitor === undefined ||
    (batch.accountUuid === null && (await isOfAnAccountElsewhere(queries, visitor, device))) ||
    (await hasMany(queries, visitor, device));
  if (!countsAlone)
    await queries
      .insertInto("event_devices")
      .values({ device_id: device, visitor, sequence: last.place })
      .onConflict((conflict) =>
        conflict.column("device_id").doUpdateSet({ visitor, sequence: last.place }).where("event_devices.sequence", "<=", last.place),
      )
      .execute();
  const touched = new Map<string, { readonly version: string; readonly day: number }>();
  // In order, because each write locks the device's journey until the batch is stored (`insertOnce.ts`).
  for (const version of [...new Set(news.flatMap((event) => event.version ?? []))].toSorted()) {
    const starts = await updateJourney(
      queries,
      device,
      version,
      news.filter((event) => event.version === version),
      batch.country,
    );
    for (const day of starts.map(dayStart)) if (day < dayStart(receivedAt)) touched.set(`${version} ${day}`, { version, day });
  }
  await touchDays(queries, touched.values(), receivedAt);
  return added.size;
}

/**
 * The accounts that the session's events name beside its own: somebody else was signed in on the device before, and their last events were not sent yet.
 * These events are stored like those without a session, or the session's account would export them.
 */
async function otherAccountsIn(queries: Queries, { accountUuid, events }: Batch): Promise<ReadonlySet<string>> {
  const named = new Set(events.flatMap(({ payload: { uuid } }) => (uuid === undefined || uuid === accountUuid ? [] : [uuid])));
  if (accountUuid === null || named.size === 0) return new Set();
  const accounts = await queries
    .selectFrom("accounts")
    .select("uuid")
    .where("uuid", "in", [...named])
    .execute();
  return new Set(accounts.map(({ uuid }) => uuid));
}

/** Whether a uuid belongs to an account that does not know this device. Only a session adds a device to an account, never a uuid alone. */
async function isOfAnAccountElsewhere(queries: Queries, uuid: string, device: string): Promise<boolean> {
  const account = await queries
    .selectFrom("accounts")
    .select("uuid")
    .where("uuid", "=", uuid)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("event_devices").select("device_id").where("device_id", "=", device).where("visitor", "=", uuid))),
    )
    .executeTakeFirst();
  return account !== undefined;
}

/** More devices than anybody has. */
const mostDevices = 50;

/**
 * Whether a uuid has so many other devices that this one counts alone. Anybody can name any uuid on any number of devices, in an account's session too,
 * and all devices of a visitor are read together.
 */
async function hasMany(queries: Queries, uuid: string, device: string): Promise<boolean> {
  const others = await queries
    .selectFrom("event_devices")
    .select("device_id")
    .where("visitor", "=", uuid)
    .where("device_id", "<>", device)
    .limit(mostDevices)
    .execute();
  return others.length >= mostDevices;
}

/** Applies the events to the device's journey. @returns the journey's start before and after this batch */
async function updateJourney(
  queries: Queries,
  device: string,
  version: string,
  events: readonly (SentEvent & { readonly happenedAt: number; readonly place: number })[],
  country: string | null,
): Promise<readonly number[]> {
  const [first] = events;
  if (first === undefined) return [];
  const { payload, happenedAt } = first;
  // Inserting or updating the row locks it, so that batches of one device run one after the other.
  const row = await queries
    .insertInto("journeys")
    .values({
      device_id: device,
      version,
      started_at: happenedAt,
      last_at: happenedAt,
      locale: payload.locale ?? null,
      country: country ?? payload.country ?? null,
      platform: payload.platform ?? null,
      campaign: payload.campaignId ?? null,
      release: payload.release ?? null,
      steps: encodeJourney(newJourney(happenedAt)),
    })
    .onConflict((conflict) => conflict.columns(["device_id", "version"]).doUpdateSet({ device_id: device }))
    .returning(["started_at", "last_at", "steps"])
    .executeTakeFirstOrThrow();
  const journey = events.reduce<Journey>(fold, decodeJourney(row));
  await queries
    .updateTable("journeys")
    .set({ started_at: journey.startedAt, last_at: journey.lastAt, steps: encodeJourney(journey) })
    .where("device_id", "=", device)
    .where("version", "=", version)
    .execute();
  return [row.started_at, journey.startedAt];
}
