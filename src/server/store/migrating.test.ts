/** Real processes migrate one PostgreSQL, as `npm run migrate` and as each start does. */
import { migrate, readMigrations } from "#server/store/migrate.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import { migrationLock } from "#server/store/postgres.ts";
import { databases } from "#test/app.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";

const processes = 4;
/** The migration that builds indexes while others write. */
const building = "20261124090000_what_retention_looks_for";
const builds =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(CREATE|DROP) INDEX CONCURRENTLY' AND wait_event_type = 'Lock'";
const invalid = "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid";

async function database(before?: string) {
  const url = await (await fetch(inject("postgresBroker"))).text();
  const store = openPatiently(url);
  onTestFinished(store.close);
  if (before !== undefined)
    await migrate(
      store,
      1,
      readMigrations("postgres").filter(({ name }) => name < before),
    );
  const client = async () => {
    const made = new pg.Client({ connectionString: url });
    // Without a listener, the error of a connection that the server ends would fail the test.
    made.on("error", () => {});
    await made.connect();
    onTestFinished(() => made.end());
    return made;
  };
  return { url, store, client };
}

function startMigrating(url: string) {
  const child = spawn(process.execPath, ["scripts/migrate.ts"], {
    env: { ...startedEnv, DATABASE_URL: url, DATA_DIR: tmpdir() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "close").then(() => said.trim().split("\n"));
  return { child, ended };
}

const keptOne = "INSERT INTO audit (id, at, kind, data) VALUES ($1, 1, 'kept', '{}')";

describe.runIf(databases.includes("postgres"))("migrations on one PostgreSQL", () => {
  it(`are applied by one of ${processes} processes that start at once, and the others wait until it has`, async () => {
    const { url } = await database();
    const said = await Promise.all(Array.from({ length: processes }, () => startMigrating(url).ended));
    const all = readMigrations("postgres").map(({ name }) => `Applied ${name}`);
    expect(said.toSorted((a, b) => b.length - a.length)).toEqual([all, ["Up to date."], ["Up to date."], ["Up to date."]]);
  });

  it("wait for their turn without an open transaction, for which another process's index build would wait", async () => {
    const { url, client } = await database();
    const [holder, watcher] = [await client(), await client()];
    await holder.query("BEGIN");
    await holder.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    const waiting = startMigrating(url);
    const ofWaiting =
      "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid NOT IN ($1, pg_backend_pid()) AND query ~* '^(commit|rollback)'";
    const pids = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await expect.poll(async () => (await watcher.query(ofWaiting, [pids.rows[0]?.pid])).rows).toEqual([{ state: "idle" }]);
    await holder.query("COMMIT");
    expect(await waiting.ended).toEqual(readMigrations("postgres").map(({ name }) => `Applied ${name}`));
  });

  it("build an index while others write, and build it again when killed in the middle", async () => {
    const { url, client } = await database(building);
    const [writer, watcher] = [await client(), await client()];
    await writer.query("BEGIN");
    await writer.query(
      "INSERT INTO consent_records (id, chosen_at, received_at, text_version, functional, analytics, marketing, source) VALUES ('open', 1, 1, '1', 0, 0, 0, 'banner')",
    );
    const killed = startMigrating(url);
    const builder = async () => (await watcher.query<{ pid: number }>(builds)).rows[0]?.pid;
    await expect.poll(builder).toBeDefined();
    // From here on the index exists, and waits for the writer.
    await expect.poll(async () => (await watcher.query(invalid)).rows).toEqual([{ name: "consent_records_by_receipt" }]);
    killed.child.kill("SIGKILL");
    // PostgreSQL does this itself once it notices that the client has gone.
    await watcher.query("SELECT pg_terminate_backend($1)", [await builder()]);
    await killed.ended;
    await expect.poll(async () => (await watcher.query(invalid)).rows).toEqual([{ name: "consent_records_by_receipt" }]);

    const others = Array.from({ length: processes }, () => startMigrating(url).ended);
    await expect.poll(builder).toBeDefined();
    await watcher.query(
      "INSERT INTO consent_records (id, chosen_at, received_at, text_version, functional, analytics, marketing, source) VALUES ('meanwhile', 1, 1, '1', 0, 0, 0, 'banner')",
    );
    await writer.query("COMMIT");
    const said = (await Promise.all(others)).flat().toSorted();
    const applied = readMigrations("postgres")
      .filter(({ name }) => name >= building)
      .map(({ name }) => `Applied ${name}`);
    expect(said).toEqual([...applied, "Up to date.", "Up to date.", "Up to date."]);
    expect((await watcher.query(invalid)).rows).toEqual([]);
    const { rows } = await watcher.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'consent_records_by_receipt'");
    expect(rows).toHaveLength(1);
  });

  it("keep what a builder finished after its process was killed", async () => {
    const { url, store, client } = await database(building);
    const [first = ""] =
      readMigrations("postgres")
        .find(({ name }) => name === building)
        ?.sql.match(/CREATE INDEX[^;]*/) ?? [];
    const watcher = await client();
    await watcher.query(first);
    const made = async () => (await watcher.query("SELECT 'events_by_receipt'::regclass::oid AS oid")).rows;
    const before = await made();
    await startMigrating(url).ended;
    expect(await made()).toEqual(before);
    expect(await migrate(store, 1)).toEqual([]);
  });

  it("let others continue while a table that they change is in use", async () => {
    const { store, client } = await database("99990101");
    const [reader, writer] = [await client(), await client()];
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM audit");
    const waits: string[] = [];
    const change = { name: "99990101000000_more_of_audit", sql: "ALTER TABLE audit ADD COLUMN more TEXT" };
    const changed = migrate(store, 1, [change], (message) => waits.push(message));
    await expect.poll(() => waits).toContain(`The migration ${change.name} waits for a table that is in use.`);
    // If a migration were already waiting for the reader, this write would wait behind it.
    await writer.query(keptOne, ["meanwhile"]);
    await reader.query("COMMIT");
    expect(await changed).toEqual([change.name]);
  });

  it("leave no index behind that could not be built, and say why", async () => {
    const { store, client } = await database("99990101");
    const writer = await client();
    for (const id of ["1", "2"]) await writer.query(keptOne, [id]);
    const name = "99990101000000_audit_once";
    const unique = { name, sql: "CREATE UNIQUE INDEX CONCURRENTLY audit_once ON audit (kind)", concurrently: true };
    await expect(migrate(store, 1, [unique])).rejects.toThrow(/99990101000000_audit_once failed: could not create unique index/);
    expect((await writer.query(invalid)).rows).toEqual([]);
    const other = { ...unique, sql: "CREATE TABLE audit_once (id TEXT)" };
    await expect(migrate(store, 1, [other])).rejects.toThrow("is neither CREATE INDEX CONCURRENTLY");
  });
});
