/** Checks the database: connection, integrity, pending migrations, clock and standby. */
import type { Settings } from "#server/base/settings.ts";
import { readMigrations } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import type { Queries } from "#server/store/schema.ts";
import { replayedUntil, writtenUntil } from "#server/store/standby.ts";
import { openSqliteReader } from "#server/store/sqlite.ts";
import { sql } from "kysely";
import { createHash } from "node:crypto";
import { constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { sentencesOf } from "../../src/startFailure.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** Largest clock difference without a warning, ms. Links live for minutes, so a wrong clock ends them early or late. */
const clockMayDiffer = 2_000;
const clockIsWrong = 30_000;

/** Largest lag of a standby without a warning, s. */
const standbyMayLag = 300;

interface Opened {
  readonly dialect: "sqlite" | "postgres";
  readonly read: Queries;
  readonly close: () => Promise<void>;
}

function open(settings: Settings): Opened {
  if (settings.databaseUrl === null) return { dialect: "sqlite", ...openSqliteReader(join(settings.dataDir, "parlando.sqlite")) };
  // Ignores errors of idle connections: the failed query reports the problem.
  return openPostgres(settings.databaseUrl, () => {});
}

const versionRow = v.tuple([v.object({ version: v.string() })]);
const nameRows = v.array(v.object({ name: v.string() }));
const migrationRows = v.array(v.object({ name: v.string(), checksum: v.string() }));

async function answers({ dialect, read }: Opened): Promise<Finding> {
  if (dialect === "postgres") {
    const { rows } = await sql`SELECT current_setting('server_version') AS version`.execute(read);
    return ok(`PostgreSQL ${v.parse(versionRow, rows)[0].version}`);
  }
  const { rows } = await sql`PRAGMA quick_check(1)`.execute(read);
  const [{ quick_check: found }] = v.parse(v.tuple([v.object({ quick_check: v.string() })]), rows);
  return found === "ok" ? ok("SQLite, and its file is sound") : fault(`The file is damaged: ${found}`, "Restore it: npm run restore.");
}

async function migrations({ dialect, read }: Opened): Promise<Finding> {
  const table =
    dialect === "sqlite"
      ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`
      : sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'`;
  const there = v.parse(nameRows, (await table.execute(read)).rows).length > 0;
  const applied = there ? v.parse(migrationRows, (await sql`SELECT name, checksum FROM migrations`.execute(read)).rows) : [];
  const known = readMigrations(dialect);
  const changed = known.find(({ name, sql: text }) =>
    applied.some((row) => row.name === name && row.checksum !== createHash("sha256").update(text).digest("hex")),
  );
  if (changed !== undefined)
    return fault(`${changed.name} was changed after it was applied`, "Run the release that applied it: this one refuses to start.");
  const newer = applied.filter(({ name }) => known.every((one) => one.name !== name));
  if (newer.length > 0)
    return warning(
      `The database is ahead of this release by ${newer.length}`,
      "Run the newest release, unless you are going back on purpose.",
    );
  const pending = known.filter(({ name }) => applied.every((row) => row.name !== name));
  if (pending.length > 0)
    return warning(`${pending.length} pending, from ${pending[0]?.name} on`, "Make a backup: the next start applies them.");
  return ok(`All ${known.length} applied`);
}

/** Rights of a PostgreSQL role that the site never uses. */
const rightsRow = v.tuple([v.object({ name: v.string(), attributes: v.array(v.string()), roles: v.array(v.string()) })]);

/** Whether the account may do more than own its database. Owning it is needed, because processes create and drop monthly partitions. */
async function rights({ read }: Opened): Promise<Finding> {
  const { rows } = await sql`
    SELECT rolname AS name,
      array_remove(ARRAY[CASE WHEN rolsuper THEN 'superuser' END, CASE WHEN rolcreaterole THEN 'creates roles' END,
        CASE WHEN rolcreatedb THEN 'creates databases' END, CASE WHEN rolreplication THEN 'replication' END,
        CASE WHEN rolbypassrls THEN 'bypasses row security' END], NULL) AS attributes,
      ARRAY(SELECT other.rolname::text FROM pg_roles other
        WHERE other.rolname LIKE 'pg\_%' AND NOT self.rolsuper AND pg_has_role(self.oid, other.oid, 'USAGE')
          AND other.rolname NOT IN ('pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables', 'pg_database_owner')
        ORDER BY 1) AS roles
    FROM pg_roles self WHERE rolname = current_user`.execute(read);
  const [{ name, attributes, roles }] = v.parse(rightsRow, rows);
  const tooMuch = [...attributes, ...roles];
  return tooMuch.length === 0
    ? ok(`${name} has rights in its own database only`)
    : warning(
        `${name} may do more than the site needs: ${tooMuch.join(", ")}`,
        "Make an account for the site alone: docs/deploying.md, Database account.",
      );
}

async function clock({ dialect, read }: Opened): Promise<Finding> {
  const asked = Date.now();
  if (dialect === "sqlite") {
    const { rows } = there(await sql`SELECT max(seen_at) AS at FROM processes`.execute(read).catch(() => null));
    const ahead = Number(v.parse(v.array(v.object({ at: v.nullable(v.number()) })), rows)[0]?.at ?? 0) - asked;
    return ahead > clockMayDiffer
      ? fault(
          `This clock is ${Math.round(ahead / 1000)} s behind the newest time in the database`,
          "The clock was set back: run chrony or another NTP client.",
        )
      : ok("Not behind the newest time in the database");
  }
  const { rows } = await sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`.execute(read);
  const [{ now }] = v.parse(v.tuple([v.object({ now: v.pipe(v.unknown(), v.transform(Number), v.number()) })]), rows);
  const difference = Math.round(now - (asked + Date.now()) / 2);
  const says = `The database's clock differs by ${difference} ms`;
  if (Math.abs(difference) > clockIsWrong) return fault(says, "Set both by NTP: links, codes and leases use the database's clock.");
  return Math.abs(difference) > clockMayDiffer ? warning(says, "Set both by NTP.") : ok(says);
}
const clusterRow = v.tuple([v.object({ id: v.string(), follows: v.boolean() })]);
const clusterOf = async (read: Queries) =>
  v.parse(
    clusterRow,
    (await sql`SELECT system_identifier::text AS id, pg_is_in_recovery() AS follows FROM pg_control_system()`.execute(read)).rows,
  )[0];

async function standby({ read: primary }: Opened, url: string): Promise<Finding> {
  const { read, close } = openPostgres(url, () => {});
  try {
    const [here, there] = [await clusterOf(primary), await clusterOf(read)];
    if (here.id !== there.id) return fault("It is no copy of DATABASE_URL", "Set REPORT_DATABASE_URL to a standby of it, or remove it.");
    if (!there.follows) return warning("It is no standby: counts load the primary", "Name a standby in REPORT_DATABASE_URL.");
    const replayed = await replayedUntil(read, { written: await writtenUntil(primary) });
    const behind = replayed === null ? 0 : Math.max(0, Math.ceil((Date.now() - replayed) / 1_000));
    const says = `A standby, ${behind} s behind`;
    return behind > standbyMayLag ? warning(says, "Funnel and Today show numbers of that time: docs/runbook.md, StandbyLags.") : ok(says);
  } catch (error) {
    const { host, pathname } = new URL(url);
    const why = error instanceof Error ? error.message : String(error);
    return fault(`${host}${pathname}: ${why}`, "Funnel and Today cannot count: fix it, or remove REPORT_DATABASE_URL.");
  } finally {
    await close();
  }
}

/** The result; without rows when the table does not exist yet, before the first start. */
const there = (result: { readonly rows: readonly unknown[] } | null) => result ?? { rows: [] };

/** Whether other users of this machine may read the SQLite database and its log. An older `npm run studio` made files that they may read. */
function files({ dataDir }: Settings): Finding {
  const file = join(dataDir, "parlando.sqlite");
  const others = (path: string, may: number) => (statSync(path).mode & may) !== 0;
  if (!others(dataDir, constants.S_IXOTH) || !others(file, constants.S_IROTH)) return ok("Other users of this machine cannot read them");
  return fault(`${file} can be read by other users of this machine`, `chmod go-rwx ${dataDir} ${file}*`);
}

/** The findings by name. If the database does not answer, that is the only one. */
export async function database(settings: Settings): Promise<Readonly<Record<string, Finding>>> {
  if (settings.databaseUrl === null && !existsSync(join(settings.dataDir, "parlando.sqlite")))
    return {
      database: settings.production
        ? warning("It does not exist yet", `The first start creates it in ${settings.dataDir}: that folder must outlive the container.`)
        : ok("It does not exist yet: the first start creates it"),
    };
  let opened: Opened | null = null;
  try {
    opened = open(settings);
    const found = { database: await answers(opened) };
    if (found.database.verdict === "fault") return found;
    return {
      ...found,
      migrations: await migrations(opened),
      ...(opened.dialect === "postgres" ? { "its account": await rights(opened) } : { "its files": files(settings) }),
      "its clock": await clock(opened),
      ...(settings.reportDatabaseUrl === null ? {} : { standby: await standby(opened, settings.reportDatabaseUrl) }),
    };
  } catch (error) {
    return { database: fault(sentencesOf(error, settings).join(" "), "Nothing works without it: fix this first.") };
  } finally {
    await opened?.close();
  }
}
