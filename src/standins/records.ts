/** What a stand-in remembers: one JSON record per id, written through, so that a restart of the process forgets nothing. */
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
  /** One kind of record. Only this file writes it, so what is read back is what was put. */
  readonly kind: <T>(name: string) => Records<T>;
  readonly close: () => void;
}

/** @param path a file of the stand-in's own, or `:memory:` */
export function openRecords(path: string): RecordFile {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; create table if not exists record (kind text not null, id text not null, seq integer primary key autoincrement, value text not null, unique (kind, id))",
  );
  const load = database.prepare("select id, value from record where kind = ? order by seq");
  const write = database.prepare(
    "insert into record (kind, id, value) values (?, ?, ?) on conflict (kind, id) do update set value = excluded.value",
  );
  const erase = database.prepare("delete from record where kind = ? and id = ?");
  return {
    kind: <T>(name: string): Records<T> => {
      const known = new Map<string, T>(load.all(name).map((row) => [String(row["id"]), JSON.parse(String(row["value"]))]));
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
