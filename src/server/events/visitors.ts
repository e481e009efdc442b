/** Reads visitors' journeys from the database in pages. Each visitor comes once, on however many devices. */
import { sql, type SqlBool } from "kysely";
import type { Queries } from "../store/schema.ts";
import { decodeJourney, type Journey, mergeJourneys } from "./journey.ts";

/** Traits of visitors: values at the start of the visit, and the latest consent. */
export const traits = ["release", "locale", "country", "platform", "campaign", "came", "consent"] as const;
export type Trait = (typeof traits)[number];
/** The traits that a journey's own row holds. */
export const startTraits = ["release", "locale", "country", "platform", "campaign"] as const satisfies readonly Trait[];
export type StartTrait = (typeof startTraits)[number];

export interface VisitorFilter extends Readonly<Partial<Record<Trait, readonly string[] | undefined>>> {
  readonly version: string;
  /** Start times from `from` (inclusive) to `to` (exclusive), ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  // A trait without values matches all; "" stands for unknown.
}

/** A trait that was not asked for is null. */
export interface Visitor extends Readonly<Record<Exclude<Trait, "came">, string | null>> {
  /** The uuid of the account or the questionnaire; the device's id before there is one. */
  readonly visitor: string;
  /** The device of the latest activity. */
  readonly device: string;
  readonly journey: Journey;
  /** Whether an order was paid or a trial begun after the start. For an erased visitor: until the erasure. */
  readonly bought: boolean;
  /** "returning" when the device had started another version before. */
  readonly came: "new" | "returning" | null;
  /** Consent to statistics: "yes" or "no"; null when nothing was chosen. */
  readonly consent: string | null;
}

/** Rows per page. It is small, so that other work runs between two pages. */
const pageRows = 2_000;

/**
 * All visitors of the version that match the filter.
 * @param asked the traits that the caller needs
 */
export async function* visitorsOf(queries: Queries, filter: VisitorFilter, asked: readonly Trait[]): AsyncGenerator<Visitor> {
  for await (const visitors of visitorPages(queries, filter, asked)) yield* visitors;
}

/** The same visitors, page by page: one wait for a page costs less than one for each visitor. */
export async function* visitorPages(queries: Queries, filter: VisitorFilter, asked: readonly Trait[]): AsyncGenerator<readonly Visitor[]> {
  const met = new Set<string>();
  const read = traits.filter((trait) => asked.includes(trait) || (filter[trait] ?? []).length > 0);
  for await (const page of pagesOf(queries, filter, read)) {
    const visitors = page.filter(({ several }) => !several).map((row) => visitorOf(row, read));
    const others = new Set(page.filter(({ several, visitor }) => several && !met.has(visitor)).map(({ visitor }) => visitor));
    if (others.size > 0) {
      for (const visitor of others) met.add(visitor);
      visitors.push(...(await wholeVisitors(queries, filter.version, [...others], read)));
    }
    yield visitors.filter((visitor) => fits(visitor, filter));
  }
}

function fits(visitor: Visitor, filter: VisitorFilter): boolean {
  // Checked after merging, because the visitor may have started earlier on another device.
  if (filter.from !== undefined && visitor.journey.startedAt < filter.from) return false;
  return traits.every((trait) => {
    const wanted = filter[trait];
    return wanted === undefined || wanted.length === 0 || wanted.includes(visitor[trait] ?? "");
  });
}

/** Merges two devices of a visitor. The traits are those of the device that started first. */
function merged(a: Visitor, b: Visitor): Visitor {
  const [first, other] = a.journey.startedAt <= b.journey.startedAt ? [a, b] : [b, a];
  const { device, consent } = first.journey.lastAt > other.journey.lastAt ? first : other;
  return { ...first, device, consent, journey: mergeJourneys(a.journey, b.journey), bought: a.bought || b.bought };
}

/** Devices per query. */
const devicesAtOnce = 500;

/** The order in which a visitor's devices are merged. Databases return them in any order, and of two that arrived at the same time one must count. */
function byStart(a: Device, b: Device): number {
  return Number(a.started_at) - Number(b.started_at) || (a.device_id < b.device_id ? -1 : Number(a.device_id > b.device_id));
}

/** A visitor in a version, as counted, with the journeys of the single devices. */
export interface WholeVisitor {
  readonly version: string;
  readonly whole: Visitor;
  /** Ordered by start. */
  readonly parts: readonly Visitor[];
}

/** The visitors who own these devices, in every version, with all their devices. */
export async function visitorsOn(queries: Queries, devices: readonly string[]): Promise<readonly WholeVisitor[]> {
  const all = new Set(devices);
  for (const some of chunks(devices)) {
    const sharing = await queries
      .selectFrom("event_devices")
      .select("device_id")
      .where("visitor", "in", (known) => known.selectFrom("event_devices").select("visitor").where("device_id", "in", some))
      .execute();
    for (const { device_id } of sharing) all.add(device_id);
  }
  const rows: Device[] = [];
  for (const some of chunks([...all])) rows.push(...(await devicesOf(queries, traits).where("journeys.device_id", "in", some).execute()));
  const found = new Map<string, { readonly version: string; whole: Visitor; readonly parts: Visitor[] }>();
  for (const row of rows.toSorted(byStart)) {
    const visitor = visitorOf(row, traits);
    const key = `${row.version} ${visitor.visitor}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { version: row.version, whole: visitor, parts: [visitor] });
    else {
      known.whole = merged(known.whole, visitor);
      known.parts.push(visitor);
    }
  }
  return [...found.values()];
}

function chunks(devices: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(devices.length / devicesAtOnce) }, (_, n) =>
    devices.slice(n * devicesAtOnce, (n + 1) * devicesAtOnce),
  );
}

/** Merges each visitor with several devices into one journey. */
async function wholeVisitors(
  queries: Queries,
  version: string,
  visitors: readonly string[],
  read: readonly Trait[],
): Promise<Iterable<Visitor>> {
  const whole = new Map<string, Visitor>();
  const rows = await devicesOf(queries, read)
    .where("journeys.version", "=", version)
    .where("event_devices.visitor", "in", visitors)
    .execute();
  for (const row of rows.toSorted(byStart)) {
    const visitor = visitorOf(row, read);
    const known = whole.get(visitor.visitor);
    whole.set(visitor.visitor, known === undefined ? visitor : merged(known, visitor));
  }
  return whole.values();
}

/** A query for the journeys of devices, with their visitors. */
function devicesOf(queries: Queries, read: readonly Trait[]) {
  return queries
    .selectFrom("journeys")
    .leftJoin("event_devices", "event_devices.device_id", "journeys.device_id")
    .select(["journeys.device_id", "journeys.version", "started_at", "last_at", "steps"])
    .select(({ fn }) => fn.coalesce("event_devices.visitor", "journeys.device_id").as("visitor"))
    .select(({ or, eb, exists, selectFrom, ref }) => [
      or([
        eb("journeys.bought", "=", 1),
        exists(
          selectFrom("orders")
            .select(sql`1`.as("one"))
            .where("orders.status", "=", "completed")
            .whereRef("orders.account_uuid", "=", "event_devices.visitor")
            .where("orders.created_at", ">=", ref("journeys.started_at")),
        ),
      ]).as("bought"),
    ])
    .$if(
      startTraits.some((trait) => read.includes(trait)),
      (query) => query.select(startTraits),
    )
    .$if(read.includes("came"), (query) =>
      query.select(({ exists, selectFrom }) =>
        exists(
          selectFrom("journeys as other")
            .select(sql`1`.as("one"))
            .whereRef("other.device_id", "=", "journeys.device_id")
            .whereRef("other.started_at", "<", "journeys.started_at"),
        ).as("returning"),
      ),
    )
    .$if(read.includes("consent"), (query) =>
      query.select(({ selectFrom }) =>
        selectFrom("consent_records")
          .select("analytics")
          .whereRef("consent_records.device_id", "=", "journeys.device_id")
          .orderBy("chosen_at", "desc")
          .limit(1)
          .as("analytics"),
      ),
    );
}

type Device = Awaited<ReturnType<ReturnType<typeof devicesOf>["execute"]>>[number];

function visitorOf(
  {
    device_id,
    visitor,
    bought,
    returning,
    analytics = null,
    release = null,
    locale = null,
    country = null,
    platform = null,
    campaign = null,
    started_at,
    last_at,
    steps,
  }: Device,
  read: readonly Trait[],
): Visitor {
  return {
    visitor,
    device: device_id,
    journey: decodeJourney({ started_at, last_at, steps }),
    bought: Boolean(bought),
    came: read.includes("came") ? (returning ? "returning" : "new") : null,
    consent: analytics === null ? null : analytics === 1 ? "yes" : "no",
    release,
    locale,
    country,
    platform,
    campaign,
  };
}

/** Pages of devices, ordered by start. `several` tells whether the visitor has other devices, which few have. */
async function* pagesOf(
  queries: Queries,
  { version, from = -1, to }: VisitorFilter,
  read: readonly Trait[],
): AsyncGenerator<readonly (Device & { readonly several: SqlBool })[]> {
  let after = { startedAt: from, device: "" };
  for (;;) {
    let page = devicesOf(queries, read)
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom("event_devices as other_device")
            .select(sql`1`.as("one"))
            .whereRef("other_device.visitor", "=", "event_devices.visitor")
            .whereRef("other_device.device_id", "<>", "event_devices.device_id"),
        ).as("several"),
      )
      .where("journeys.version", "=", version)
      .where("started_at", ">=", after.startedAt)
      .where(({ eb, or }) => or([eb("started_at", ">", after.startedAt), eb("journeys.device_id", ">", after.device)]))
      .orderBy("started_at")
      .orderBy("journeys.device_id")
      .limit(pageRows);
    if (to !== undefined) page = page.where("started_at", "<", to);
    const rows = await page.execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < pageRows) return;
    after = { startedAt: last.started_at, device: last.device_id };
  }
}
