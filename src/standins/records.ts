/** A stand-in's storage: one JSON record per id, written through, so that a killed process loses nothing. A power cut may. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Records<T> {
  readonly get: (id: string) => T | undefined;
  readonly put: (id: string, value: T) => void;
  readonly remove: (id: string) => void;
  readonly all: () => readonly T[];
}

export interface RecordFile {
  /** One kind of record. Two processes with one file see each other's writes. */
  readonly kind: <T>(name: string) => Records<T>;
  /** Does the work in one transaction: all its changes are stored, or none. No other process writes to the file meanwhile. */
  readonly together: <T>(work: () => T) => T;
  readonly close: () => void;
}

/** @param path a file of the stand-in's own, or `:memory:` */
export function openRecords(path: string): RecordFile {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000; create table if not exists record (kind text not null, id text not null, seq integer primary key autoincrement, value text not null, unique (kind, id))",
  );
  const load = database.prepare("select id, value from record where kind = ? order by seq");
  const write = database.prepare(
    "insert into record (kind, id, value) values (?, ?, ?) on conflict (kind, id) do update set value = excluded.value",
  );
  const erase = database.prepare("delete from record where kind = ? and id = ?");
  const dataVersion = database.prepare("pragma data_version");
  const versionNow = () => Number(dataVersion.get()?.["data_version"]);
  const reloads: (() => void)[] = [];
  let version = versionNow();
  let working = false;
  return {
    together: (work) => {
      if (working) return work();
      database.exec("begin immediate");
      working = true;
      try {
        if (version !== versionNow()) for (const reload of reloads) reload();
        version = versionNow();
        const result = work();
        database.exec("commit");
        return result;
      } catch (error) {
        database.exec("rollback");
        for (const reload of reloads) reload();
        throw error;
      } finally {
        working = false;
      }
    },
    kind: <T>(name: string): Records<T> => {
      const known = new Map<string, T>();
      const reload = () => {
        known.clear();
        for (const row of load.all(name)) known.set(String(row["id"]), JSON.parse(String(row["value"])));
      };
      reload();
      reloads.push(reload);
      return {
        get: (id) => known.get(id),
        put: (id, value) => {
          known.set(id, value);
          write.run(name, id, JSON.stringify(value));
        },
        remove: (id) => {
          known.delete(id);
          erase.run(name, id);
        },
        all: () => [...known.values()],
      };
    },
    close: () => database.close(),
  };
}
