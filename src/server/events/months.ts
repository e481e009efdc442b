/**
 * On PostgreSQL, events are in monthly partitions by time of receipt, so that an old month is dropped as a whole (decision 204).
 * `events_rest` is the default partition: it has the events of months that do not exist yet. A process may be killed between any two steps;
 * the next run continues from the state in the catalog.
 */
import { sql } from "kysely";
import * as v from "valibot";
import type { Queries } from "../store/schema.ts";
import { isLockFailure, type Migrating, type Store } from "../store/store.ts";

const dayMs = 86_400_000;
/** How many months are created ahead. Retention may fail for as long without harm. */
const monthsAhead = 2;
/**
 * The largest default partition, in bytes, from which a month is split off while writers wait. A larger one is closed instead, so that
 * nobody waits.
 */
const largestToSplit = 64 * 2 ** 20;

interface Log {
  readonly info: (details: object, message: string) => void;
}

/** Rows from `from` (inclusive) to `to` (exclusive), ms. */
interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Midnight, UTC, of the first day of the month that is `later` months after a time's. */
export function monthOf(at: number, later = 0): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later, 1);
}

const partRows = v.array(v.object({ name: v.string(), bounds: v.string() }));
const bounds = /FROM \((MINVALUE|'?-?\d+'?)\) TO \('?(\d+)'?\)/;

/** All monthly partitions, without `events_rest`. */
async function partsIn(queries: Queries): Promise<readonly Part[]> {
  const { rows } = await sql`SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds
    FROM pg_class WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'events'::regclass)`.execute(queries);
  return v.parse(partRows, rows).flatMap(({ name, bounds: said }) => {
    const [, from = "", to = ""] = bounds.exec(said) ?? [];
    if (to === "") return [];
    return [{ name, from: from === "MINVALUE" ? Number.NEGATIVE_INFINITY : Number(from.replaceAll("'", "")), to: Number(to) }];
  });
}

/** The months from now on that have no partition. */
function missingMonths(parts: readonly Part[], now: number): readonly Part[] {
  return Array.from({ length: monthsAhead + 1 }, (_, later) => {
    const [from, to] = [monthOf(now, later), monthOf(now, later + 1)];
    return { name: `events_${new Date(from).toISOString().slice(0, 7).replace("-", "_")}`, from, to };
  }).filter(({ from, to }) => parts.every((part) => part.to <= from || part.from >= to));
}

const attach = (name: string, range: string) => `ALTER TABLE events ATTACH PARTITION ${name} ${range}`;
const make = (name: string) => `CREATE TABLE ${name} (LIKE events INCLUDING DEFAULTS, PRIMARY KEY (id))`;

/** Creates a month, and moves its events from the default partition into it. */
const monthScript = ({ name, from, to }: Part) => `
  ${make(name)};
  WITH early AS (DELETE FROM events_rest WHERE received_at >= ${from} AND received_at < ${to} RETURNING *) INSERT INTO ${name} SELECT * FROM early;
  ${attach(name, `FOR VALUES FROM (${from}) TO (${to})`)};`;

const constraintRows = v.array(v.object({ name: v.string(), valid: v.boolean() }));
const closing = "events_rest_until_";

/**
 * Closes a default partition that is too large to be scanned while writers wait. A constraint stops it from accepting events of the month
 * after next and later; PostgreSQL verifies it while others write. Then it becomes the partition of all earlier events, and an empty
 * default partition replaces it.
 */
async function closeDefaultPartition({ queries, transaction }: Migrating, now: number): Promise<void> {
  const known = v.parse(
    constraintRows,
    (
      await sql`SELECT conname AS name, convalidated AS valid FROM pg_constraint
        WHERE conrelid = 'events_rest'::regclass AND starts_with(conname, ${closing})`.execute(queries)
    ).rows,
  )[0];
  const change = (script: string) => transaction((_, execute) => execute(script));
  const until = known === undefined ? monthOf(now, 2) : Number(known.name.slice(closing.length));
  const name = `${closing}${until}`;
  const open = `ALTER TABLE events_rest DROP CONSTRAINT IF EXISTS ${name}`;
  // No process finished closing the partition in time. Its constraint would soon refuse events, so the constraint is removed.
  if (until <= now + dayMs) {
    await change(open);
    return closeDefaultPartition({ queries, transaction }, now);
  }
  if (known === undefined) await change(`ALTER TABLE events_rest ADD CONSTRAINT ${name} CHECK (received_at < ${until}) NOT VALID`);
  try {
    if (known?.valid !== true) await change(`ALTER TABLE events_rest VALIDATE CONSTRAINT ${name}`);
  } catch (error) {
    await change(open);
    throw error;
  }
  await change(`
    ALTER TABLE events DETACH PARTITION events_rest;
    ALTER TABLE events_rest RENAME TO events_before;
    ${attach("events_before", `FOR VALUES FROM (MINVALUE) TO (${until})`)};
    ALTER TABLE events_before DROP CONSTRAINT ${name};
    ${make("events_rest")};
    ${attach("events_rest", "DEFAULT")};`);
}

const sizeRows = v.tuple([v.object({ bytes: v.pipe(v.unknown(), v.transform(Number)) })]);

/**
 * Creates missing months and drops those whose first event is older than `keptMs`. One process at a time does this; the others wait. @returns the
 * names of the dropped months
 */
export async function keepMonths(store: Store, now: number, keptMs: number, log: Log): Promise<readonly string[]> {
  if (store.dialect === "sqlite") return [];
  const before = await partsIn(store.read);
  const isOld = ({ from, to }: Part) => (Number.isFinite(from) ? from : to) < now - keptMs;
  if (missingMonths(before, now).length === 0 && !before.some(isOld)) return [];
  return store.migrateWith(async (migrating) => {
    const { queries, transaction } = migrating;
    const inUse = (error: unknown) => {
      if (!isLockFailure(error)) throw error;
      log.info({ err: error }, "Months of events could not be created or dropped, because events are in use: the next round tries again");
    };
    const dropped: string[] = [];
    try {
      const { rows } = await sql`SELECT pg_relation_size('events_rest') AS bytes`.execute(queries);
      if ((await partsIn(queries)).length === 0 && v.parse(sizeRows, rows)[0].bytes > largestToSplit)
        await closeDefaultPartition(migrating, now);
      const missing = missingMonths(await partsIn(queries), now);
      // Writers must wait before PostgreSQL chooses the partition of their rows. Otherwise the default partition would refuse them afterwards.
      if (missing.length > 0)
        await transaction((_, execute) => execute(`LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; ${missing.map(monthScript).join("")}`));
      for (const { name } of (await partsIn(queries)).filter(isOld)) {
        await transaction((_, execute) => execute(`DROP TABLE ${name}`));
        dropped.push(name);
      }
    } catch (error) {
      inUse(error);
    }
    return dropped;
  });
}
