/** Reads visitors' journeys from the database, a page at a time, each visitor once on however many devices. */
import { sql } from "kysely";
import type { Queries } from "../store/schema.ts";
import { decodeJourney, type Journey, together } from "./journey.ts";

export interface VisitorFilter {
  readonly version: string;
  /** Visitors who started from this moment on, and before that one; milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Where they started. Empty or undefined is all; "" stands for what is not known. */
  readonly locale?: readonly string[] | undefined;
  readonly country?: readonly string[] | undefined;
  readonly platform?: readonly string[] | undefined;
  readonly campaign?: readonly string[] | undefined;
}

export interface Visitor {
  /** The account's or the questionnaire's uuid; a device's id before there is one. */
  readonly visitor: string;
  readonly journey: Journey;
  /** Has an order that was paid, or a trial that began, since. */
  readonly bought: boolean;
  readonly locale: string | null;
  readonly country: string | null;
  readonly platform: string | null;
  readonly campaign: string | null;
}

/** Rows of a page: small enough that other work goes on between two. */
const pageRows = 2_000;
const traits = ["locale", "country", "platform", "campaign"] as const;

/** Everybody who started the version, as the filter has it. */
export async function* visitorsOf(queries: Queries, filter: VisitorFilter): AsyncGenerator<Visitor> {
  const several = await onSeveralDevices(queries);
  const waiting = new Map<string, Visitor>();
  for await (const visitor of devicesOf(queries, filter)) {
    if (!several.has(visitor.visitor)) {
      if (fits(visitor, filter)) yield visitor;
      continue;
    }
    const known = waiting.get(visitor.visitor);
    waiting.set(visitor.visitor, known === undefined ? visitor : merged(known, visitor));
  }
  for (const visitor of waiting.values()) if (fits(visitor, filter)) yield visitor;
}

function fits(visitor: Visitor, filter: VisitorFilter): boolean {
  // Looked at only now: on the other device the visitor may have started earlier.
  if (filter.from !== undefined && visitor.journey.startedAt < filter.from) return false;
  return traits.every((trait) => {
    const wanted = filter[trait];
    return wanted === undefined || wanted.length === 0 || wanted.includes(visitor[trait] ?? "");
  });
}

/** Where somebody started is what they count under. */
function merged(a: Visitor, b: Visitor): Visitor {
  const first = a.journey.startedAt <= b.journey.startedAt ? a : b;
  return { ...first, journey: together(a.journey, b.journey), bought: a.bought || b.bought };
}

/** Few: nearly everybody has one device. */
async function onSeveralDevices(queries: Queries): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectFrom("event_devices")
    .select("visitor")
    .groupBy("visitor")
    .having(({ fn }) => fn.countAll(), ">", 1)
    .execute();
  return new Set(rows.map(({ visitor }) => visitor));
}

async function* devicesOf(queries: Queries, { version, to }: VisitorFilter): AsyncGenerator<Visitor> {
  let after = { startedAt: -1, device: "" };
  for (;;) {
    let page = queries
      .selectFrom("journeys")
      .leftJoin("event_devices", "event_devices.device_id", "journeys.device_id")
      .select(["journeys.device_id", "started_at", "last_at", "steps", "locale", "country", "platform", "campaign"])
      .select(({ fn }) => fn.coalesce("event_devices.visitor", "journeys.device_id").as("visitor"))
      .select(({ exists, selectFrom, ref }) =>
        exists(
          selectFrom("orders")
            .select(sql`1`.as("one"))
            .where("orders.status", "=", "completed")
            .whereRef("orders.account_uuid", "=", "event_devices.visitor")
            .where("orders.created_at", ">=", ref("journeys.started_at")),
        ).as("bought"),
      )
      .where("journeys.version", "=", version)
      .where(({ eb, or, and }) =>
        or([
          eb("started_at", ">", after.startedAt),
          and([eb("started_at", "=", after.startedAt), eb("journeys.device_id", ">", after.device)]),
        ]),
      )
      .orderBy("started_at")
      .orderBy("journeys.device_id")
      .limit(pageRows);
    if (to !== undefined) page = page.where("started_at", "<", to);
    const rows = await page.execute();
    for (const { visitor, bought, locale, country, platform, campaign, ...journey } of rows)
      yield { visitor, journey: decodeJourney(journey), bought: Boolean(bought), locale, country, platform, campaign };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = { startedAt: last.started_at, device: last.device_id };
  }
}
