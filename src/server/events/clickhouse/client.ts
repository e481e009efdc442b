/** A client of ClickHouse's HTTP interface. Three kinds of requests are enough. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const zipped = promisify(gzip);

type Value = string | number | readonly string[] | readonly number[];
export type Params = Readonly<Record<string, Value>>;

/** ClickHouse could not be reached, or answered with an error. */
export class ClickHouseFailure extends Error {
  override readonly name = "ClickHouseFailure";
}

export interface ClickHouse {
  /** Runs a statement that returns no rows. */
  readonly run: (statement: string, params?: Params) => Promise<void>;
  readonly rows: <T>(query: string, params?: Params, withinMs?: number) => Promise<readonly T[]>;
  /** Adds rows to a table. After a failure, some of the rows may have been added. */
  readonly insert: (table: string, rows: readonly object[]) => Promise<void>;
}

/** The time limit, ms: a count reads very many rows, and a statement may rewrite part of the table. */
const slowestMs = 10 * 60_000;
const slowestInsertMs = 60_000;
const shownOfError = 500;

/** Escapes a text for use within single quotes. */
const escaped = (text: string) =>
  text.replaceAll(/[\\'\n\t\r]/g, (sign) => ({ "\n": "\\n", "\t": "\\t", "\r": "\\r" })[sign] ?? `\\${sign}`);
/** A parameter's value as the address has it. ClickHouse reads a single text with escapes, and the texts of a list in quotes. */
function written(value: Value): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escaped(value).replaceAll("\\'", "'");
  return `[${value.map((each) => (typeof each === "number" ? String(each) : `'${escaped(each)}'`)).join(",")}]`;
}

/** @param url with user, password and, as its path, the database: `http://user:password@host:8123/database` */
export function openClickHouse(url: string, send: typeof fetch = fetch): ClickHouse {
  const { origin, username, password, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1)) || "default";
  const headers = {
    "x-clickhouse-user": decodeURIComponent(username) || "default",
    ...(password === "" ? {} : { "x-clickhouse-key": decodeURIComponent(password) }),
  };

  async function ask(
    query: string,
    {
      params = {},
      rows,
      withinMs = slowestMs,
    }: { readonly params?: Params; readonly rows?: readonly object[]; readonly withinMs?: number | undefined } = {},
  ) {
    const asked = new URLSearchParams({
      database,
      // ClickHouse holds the answer back until it is complete, so that its status tells whether the query failed.
      wait_end_of_query: "1",
      output_format_json_quote_64bit_integers: "0",
      // No limit on months in a batch: devices may send events with any date.
      ...(rows === undefined ? {} : { query, max_partitions_per_insert_block: "0" }),
      ...Object.fromEntries(Object.entries(params).map(([name, value]) => [`param_${name}`, written(value)])),
    });
    let text: string;
    let response: Response;
    try {
      response = await send(`${origin}/?${asked}`, {
        method: "POST",
        redirect: "error",
        headers: { ...headers, ...(rows === undefined ? {} : { "content-encoding": "gzip" }) },
        body: rows === undefined ? query : new Uint8Array(await zipped(rows.map((row) => JSON.stringify(row)).join("\n"))),
        signal: AbortSignal.timeout(withinMs),
      });
      text = await response.text();
    } catch (cause) {
      throw new ClickHouseFailure("ClickHouse does not answer.", { cause });
    }
    if (!response.ok) throw new ClickHouseFailure(`ClickHouse: ${response.status} ${text.slice(0, shownOfError).trim()}`);
    return text;
  }

  return {
    run: async (statement, params) => void (await ask(statement, params === undefined ? {} : { params })),
    rows: async <T>(query: string, params: Params = {}, withinMs?: number) => {
      const text = await ask(`${query} FORMAT JSONEachRow`, { params, withinMs });
      // The query determines the shape of the rows.
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T);
    },
    insert: async (table, rows) => void (await ask(`INSERT INTO ${table} FORMAT JSONEachRow`, { rows, withinMs: slowestInsertMs })),
  };
}
