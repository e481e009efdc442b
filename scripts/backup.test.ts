/** Backups as an operator makes and restores them. */
import { startS3, type S3Storage } from "#test/s3.ts";
import { startApi, type ApiProcess } from "#test/apiProcess.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { migrate } from "#server/store/migrate.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

let folder: string;
let api: ApiProcess | null = null;
let storage: S3Storage;
beforeAll(async () => void (storage = await startS3()));
afterAll(() => storage.close());
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "parlando-backup-"))));
afterEach(async () => {
  await api?.kill();
  api = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(folder, "data-"));
const fileIn = (dataDir: string) => join(dataDir, "parlando.sqlite");

async function run(command: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: { ...startedEnv, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { stdout, stderr: stderr.trim(), code };
}
const backup = (dataDir: string, ...args: string[]) => run([process.execPath, "scripts/backup.ts", ...args], { DATA_DIR: dataDir });
const restore = (dataDir: string, file: string) => run([process.execPath, "scripts/restore.ts", file], { DATA_DIR: dataDir });

const toBucket = (dataDir: string, script: "backup" | "restore", args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run([process.execPath, `scripts/${script}.ts`, ...args], { DATA_DIR: dataDir, ...storage.env, ...env });

const tablesOf = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));

/** All rows and the schema of a database. */
function contentsOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = Object.fromEntries(
    tablesOf(database).map((name) => [
      name,
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ]),
  );
  const made = database.prepare("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").all();
  database.close();
  return { rows, made };
}

/** A database with meaningless rows in every table. */
async function filled(): Promise<string> {
  const dataDir = newFolder();
  const store = openSqlite(fileIn(dataDir));
  await migrate(store, 1);
  await store.close();
  const database = new DatabaseSync(fileIn(dataDir), { enableForeignKeyConstraints: false });
  for (const name of tablesOf(database)) {
    if (name === "migrations") continue;
    const columns = database.prepare(`SELECT name, type FROM pragma_table_info('${name}')`).all();
    const insert = database.prepare(
      `INSERT OR IGNORE INTO "${name}" (${columns.map((column) => `"${String(column["name"])}"`).join()}) VALUES (${columns.map(() => "?").join()})`,
    );
    for (let n = 1; n <= 5; n++)
      insert.run(...columns.map(({ type, name: column }) => (type === "TEXT" ? JSON.stringify({ [String(column)]: n, of: "ünï\n" }) : n)));
  }
  database.close();
  return dataDir;
}

it("restores every row of every table", async () => {
  const dataDir = await filled();
  const before = contentsOf(fileIn(dataDir));
  for (const [name, rows] of Object.entries(before.rows)) expect([name, rows.length > 0]).toEqual([name, true]);
  const saved = join(folder, "saved.sqlite");
  const { stdout, code } = await backup(dataDir, saved);
  expect(stdout).toMatch(/saved\.sqlite: \d+ tables, \d+ rows, checked\./);
  expect(code).toBe(0);
  expect(statSync(saved).mode & 0o077).toBe(0);

  const database = new DatabaseSync(fileIn(dataDir), { enableForeignKeyConstraints: false });
  for (const name of tablesOf(database)) database.exec(`DELETE FROM "${name}"`);
  database.close();
  const emptied = contentsOf(fileIn(dataDir));
  expect(await restore(dataDir, saved)).toMatchObject({ code: 0, stderr: "" });
  expect(contentsOf(fileIn(dataDir))).toEqual(before);
  const aside = readdirSync(dataDir).find((name) => name.startsWith("parlando.sqlite.before-"));
  expect(contentsOf(join(dataDir, aside ?? ""))).toEqual(emptied);

  const elsewhere = join(newFolder(), "new");
  expect((await restore(elsewhere, saved)).code).toBe(0);
  expect(contentsOf(fileIn(elsewhere))).toEqual(before);
});

it("makes a complete backup while a process writes; a restore is refused until that process has ended", async () => {
  const dataDir = newFolder();
  api = await startApi({ DATA_DIR: dataDir });
  const other = new DatabaseSync(fileIn(dataDir), { timeout: 5_000 });
  const write = other.prepare("INSERT INTO audit (id, at, account_uuid, kind, data) VALUES (?, 1, NULL, 'test', ?)");
  let written = 0;
  const writeOne = () => write.run(`row-${written++}`, "x".repeat(2_000));
  for (let n = 0; n < 2_000; n++) writeOne();
  const there = written;
  const saving = backup(dataDir, join(folder, "beside.sqlite"));
  const state = { saved: false };
  const done = saving.finally(() => (state.saved = true));
  while (!state.saved) {
    writeOne();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await done).toMatchObject({ code: 0, stderr: "" });
  const rows = contentsOf(join(folder, "beside.sqlite")).rows["audit"]?.filter((row) => row.includes('"test"')).length ?? 0;
  expect(rows).toBeGreaterThanOrEqual(there);
  expect(written).toBeGreaterThan(there);
  other.close();

  const refused = await restore(dataDir, join(folder, "beside.sqlite"));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A process has .* open: stop Parlando first\.$/) });
  await api.kill();
  expect((await restore(dataDir, join(folder, "beside.sqlite"))).code).toBe(0);
  expect(contentsOf(fileIn(dataDir)).rows["audit"]?.filter((row) => row.includes('"test"'))).toHaveLength(rows);
});

it("a restored database has nothing from the log of a killed process whose file somebody has removed", async () => {
  const dataDir = newFolder();
  api = await startApi({ DATA_DIR: dataDir });
  const saved = join(folder, "before-the-kill.sqlite");
  expect((await backup(dataDir, saved)).code).toBe(0);
  const before = contentsOf(saved);
  const other = new DatabaseSync(fileIn(dataDir), { timeout: 5_000 });
  other.exec("INSERT INTO audit (id, at, account_uuid, kind, data) VALUES ('after-the-backup', 1, NULL, 'test', '')");
  // The killed process holds the log's only other connection, so nothing is copied from the log into the file.
  const log = readFileSync(`${fileIn(dataDir)}-wal`);
  other.close();
  await api.kill();
  writeFileSync(`${fileIn(dataDir)}-wal`, log);
  rmSync(fileIn(dataDir));

  const { stdout, code } = await restore(dataDir, saved);
  expect(code).toBe(0);
  expect(contentsOf(fileIn(dataDir))).toEqual(before);
  expect(stdout).toMatch(/^The log of a removed database is kept as .*-wal: /);
});

it("leaves no partial backup on a full disk or of a damaged database, and keeps the last one", async () => {
  const dataDir = await filled();
  const saved = join(newFolder(), "saved.sqlite");
  expect((await backup(dataDir, saved)).code).toBe(0);
  const before = contentsOf(saved);
  const full = await run(["sh", "-c", 'ulimit -f 40; exec "$@"', "sh", process.execPath, "scripts/backup.ts", saved], {
    DATA_DIR: dataDir,
  });
  expect(full.code).not.toBe(0);
  expect(contentsOf(saved)).toEqual(before);
  const broken = newFolder();
  writeFileSync(fileIn(broken), "no database ".repeat(1_000));
  expect(await backup(broken, join(broken, "saved.sqlite"))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/damaged or no/),
  });
  expect(existsSync(join(broken, "saved.sqlite"))).toBe(false);
  // A restore replaces the damaged database.
  expect((await restore(broken, saved)).code).toBe(0);
  expect(contentsOf(fileIn(broken))).toEqual(before);
});

it("deletes what a backup left that was killed more than a day ago, and nobody else's files", async () => {
  const dataDir = await filled();
  const place = join(dataDir, "backups");
  mkdirSync(place);
  const old = [
    "parlando-20260101T000000000Z.sqlite.7.part",
    "parlando-20260101T000000000Z.sqlite.7.part-journal",
    "kept.part",
    "others.zip.7.part",
  ];
  const young = "parlando-20260102T000000000Z.sqlite.8.part";
  for (const name of [...old, young]) writeFileSync(join(place, name), "");
  for (const name of old) utimesSync(join(place, name), 1, 1);
  expect((await backup(dataDir)).code).toBe(0);
  expect(readdirSync(place).filter((name) => name.includes("part"))).toEqual(["kept.part", "others.zip.7.part", young]);
});

it("refuses to restore a damaged file, a file that is no database, and one of a newer release", async () => {
  const dataDir = await filled();
  const before = contentsOf(fileIn(dataDir));
  const file = join(folder, "bad.sqlite");
  writeFileSync(file, "no database ".repeat(1_000));
  expect(await restore(dataDir, file)).toMatchObject({ code: 1, stderr: expect.stringMatching(/damaged or no/) });
  rmSync(file);
  expect((await backup(dataDir, file)).code).toBe(0);
  const newer = new DatabaseSync(file);
  newer.exec("INSERT INTO migrations VALUES ('99990101000000_later', 'x', 1)");
  newer.close();
  expect(await restore(dataDir, file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/of a newer release than this one \(it has the migration 99990101000000_later/),
  });
  expect(contentsOf(fileIn(dataDir))).toEqual(before);
});

it("--keep deletes all but the newest; with PostgreSQL the command names its documentation", async () => {
  const dataDir = await filled();
  const place = join(dataDir, "backups");
  mkdirSync(place);
  for (const name of ["parlando-20260101T000000000Z.sqlite", "parlando-20260102T000000000Z.sqlite", "mine.sqlite"])
    writeFileSync(join(place, name), "");
  expect((await backup(dataDir, "--keep", "2")).code).toBe(0);
  const left = readdirSync(place).toSorted();
  expect(left).toHaveLength(3);
  expect(left.slice(0, 2)).toEqual(["mine.sqlite", "parlando-20260102T000000000Z.sqlite"]);
  const { stderr, code } = await run([process.execPath, "scripts/backup.ts"], {
    DATA_DIR: dataDir,
    DATABASE_URL: "postgres://db/parlando",
  });
  expect([stderr, code]).toEqual([expect.stringMatching(/^DATABASE_URL is set, .*docs\/backups\.md/), 1]);
});

it("backs up to a bucket: restores every row, uploads a large file in parts, and keeps the newest", async () => {
  const dataDir = await filled();
  const database = new DatabaseSync(fileIn(dataDir));
  const insert = database.prepare("INSERT INTO audit (id, at, account_uuid, kind, data) VALUES (?, 1, NULL, 'large', ?)");
  for (let n = 0; n < 36; n++) insert.run(`large-${n}`, `${n}`.repeat(2 ** 19));
  database.close();
  const before = contentsOf(fileIn(dataDir));
  storage.fail(1, (asked) => asked.includes("partNumber=2"));
  storage.cut(2, (asked) => asked.includes("partNumber=1"));
  const saved = await toBucket(dataDir, "backup", ["s3://backups/ev'ry night/", "--keep", "1"]);
  expect(saved).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^s3:\/\/backups\/ev'ry night\/parlando-\d{8}T\d{9}Z\.sqlite: /),
  });
  const address = saved.stdout.slice(0, saved.stdout.indexOf(": "));
  expect(storage.asked.filter((asked) => asked.includes("partNumber=")).length).toBeGreaterThan(2);
  expect(storage.open()).toBe(0);
  expect(readdirSync(dataDir).filter((name) => name.endsWith(".part"))).toEqual([]);

  const elsewhere = newFolder();
  expect(await toBucket(elsewhere, "restore", [address])).toMatchObject({ code: 0, stderr: "" });
  expect(contentsOf(fileIn(elsewhere))).toEqual(before);

  for (const name of [
    "parlando-20260101T000000000Z.sqlite",
    "parlando-20260102T000000000Z.sqlite",
    "mine.sqlite",
    "other/parlando-20260101T000000000Z.sqlite",
  ])
    storage.objects.set(`backups/ev'ry night/${name}`, { body: Buffer.from(""), modifiedAt: 1 });
  expect((await toBucket(await filled(), "backup", ["s3://backups/ev'ry night/", "--keep", "2"])).code).toBe(0);
  const left = [...storage.objects.keys()].map((key) => key.slice("backups/ev'ry night/".length)).toSorted();
  expect(left).toEqual(["mine.sqlite", "other/parlando-20260101T000000000Z.sqlite", expect.any(String), expect.any(String)]);
  expect(left).toContain(address.slice("s3://backups/ev'ry night/".length));
});

it("changes nothing in a bucket that refuses, and prints no key", async () => {
  const dataDir = await filled();
  const place = "s3://backups/one.sqlite";
  expect((await toBucket(dataDir, "backup", [place])).code).toBe(0);
  const before = storage.objects.get("backups/one.sqlite");
  const wrong = { S3_SECRET_ACCESS_KEY: "not-the-key-of-this-bucket" };
  const refused = await toBucket(dataDir, "backup", [place], wrong);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/refuses PUT of s3:\/\/backups\/one\.sqlite: SignatureDoesNotMatch\.$/),
  });
  expect(refused.stdout + refused.stderr).not.toContain(wrong.S3_SECRET_ACCESS_KEY);
  expect(storage.objects.get("backups/one.sqlite")).toBe(before);
  expect(await toBucket(newFolder(), "restore", ["s3://backups/none.sqlite"])).toMatchObject({
    code: 1,
    stderr: "There is no backup s3://backups/none.sqlite.",
  });
  expect(await backup(dataDir, place)).toMatchObject({ code: 1, stderr: `${place} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.` });
});
