/**
 * ClickHouse's HTTP interface in front of its engine, as a separate process: `node test/clickhouse/server.ts <folder>`. Prints its URL when it
 * answers, and ends with its standard input. PORT keeps the URL over a restart. CLICKHOUSE_PASSWORD is the password of the user "parlando".
 */
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { hangingTest } from "../patience.ts";

interface Engine {
  readonly Session: new (folder: string) => { readonly query: (sql: string, format?: string) => string; readonly close: () => void };
}

const { Session }: Engine = createRequire(import.meta.url)("chdb");
const session = new Session(process.argv[2] ?? "");
const user = "parlando";
const password = process.env["CLICKHOUSE_PASSWORD"] ?? "";
const unzipped = promisify(gunzip);
const literal = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
/** Query parameters of the HTTP protocol, which are no settings of the engine. */
const ofProtocol = new Set(["query", "database", "wait_end_of_query"]);

async function bodyOf(request: IncomingMessage): Promise<string> {
  const sent = Buffer.concat(await request.toArray());
  return String(request.headers["content-encoding"] === "gzip" ? await unzipped(sent) : sent);
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The engine has only one session, so each request sets all its settings again. */
function answerTo(asked: URLSearchParams, body: string): string {
  const database = asked.get("database") ?? "default";
  const known = session.query(`SELECT count() FROM system.databases WHERE name = ${literal(database)}`, "TSV").trim();
  if (known !== "1") throw new Refused(404, `Code: 81. DB::Exception: Database ${database} does not exist. (UNKNOWN_DATABASE)`);
  session.query(`USE \`${database}\``);
  for (const [name, value] of asked) if (!ofProtocol.has(name)) session.query(`SET ${name} = ${literal(value)}`);
  const query = asked.get("query");
  return session.query(query === null ? body : `${query}\n${body}`, "TSV");
}

// Keeps idle connections open. Our code could reuse one at the moment at which the server closes it, and its call would fail.
const server = createServer({ keepAliveTimeout: hangingTest }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const answer = (status: number, text: string) => response.writeHead(status, { "content-type": "text/plain; charset=UTF-8" }).end(text);
  if (pathname === "/ping") return void answer(200, "Ok.\n");
  const { "x-clickhouse-user": givenUser = "default", "x-clickhouse-key": givenKey = "" } = request.headers;
  bodyOf(request)
    .then((body) => {
      if (givenUser !== user || givenKey !== password)
        throw new Refused(403, `Code: 516. DB::Exception: ${String(givenUser)}: Authentication failed. (AUTHENTICATION_FAILED)`);
      answer(200, answerTo(searchParams, body));
    })
    .catch((error: unknown) => {
      const status = error instanceof Refused ? error.status : 400;
      answer(status, error instanceof Error ? error.message.replace(/^Query failed: /, "") : String(error));
    });
});
server.listen(Number(process.env["PORT"] ?? "0"), "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`http://${user}:${password}@127.0.0.1:${address.port}/`);
});

for await (const _ of process.stdin);
session.close();
process.exit(0);
