/** The load of a drill, and the history of responses. Every acknowledged write must be in the database afterwards. */
import { newVisitor } from "../e2e/walk.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

type Kind = "event" | "sign-up" | "page";
interface Entry {
  readonly kind: Kind;
  readonly id: string;
  /** Time of the response, ms. */
  readonly at: number;
  /** HTTP status; 0 without a response, when the write may or may not have been done. */
  readonly status: number;
}

export interface Load {
  /** Stops the load. */
  readonly stop: () => Promise<History>;
}

export interface History {
  readonly acknowledged: number;
  readonly acknowledgedIds: readonly string[];
  /** Ids that were acknowledged but are not in the database. */
  readonly lost: readonly string[];
  /** Longest time between two acknowledged writes, seconds. */
  readonly writesAwaySeconds: number;
  /** Numbers of refused or unanswered requests, by kind. */
  readonly failed: Readonly<Record<Kind, number>>;
  readonly pages: number;
  /** A summary of failures by kind and status. */
  readonly why: string;
}

const visitors: readonly { readonly kind: Kind; readonly many: number; readonly pauseMs: number }[] = [
  { kind: "event", many: 4, pauseMs: 40 },
  { kind: "sign-up", many: 2, pauseMs: 200 },
  { kind: "page", many: 2, pauseMs: 100 },
];
/** Timeout of a request, about that of a real device. */
const patienceMs = 20_000;

const isAcknowledged = ({ kind, status }: Entry) => kind !== "page" && status >= 200 && status < 300;

function send(siteUrl: string, kind: Kind, id: string): Promise<number> {
  const post = (path: string, body: object) => ({
    path,
    init: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  const { email, password } = newVisitor();
  const { path, init } =
    kind === "page"
      ? { path: "/es-latam/habla-ingles/76/2/", init: {} }
      : kind === "event"
        ? post("/api/send-event", { id, eventType: "CampaignEvent", payload: { name: "drill" } })
        : post("/api/signup", { uuid: id, email, password, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" });
  return fetch(siteUrl + path, { ...init, signal: AbortSignal.timeout(patienceMs) }).then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => 0,
  );
}

export function startLoad(siteUrl: string, databaseUrl: string): Load {
  const entries: Entry[] = [];
  const ending = new AbortController();
  const came = visitors.flatMap(({ kind, many, pauseMs }) =>
    Array.from({ length: many }, async () => {
      while (!ending.signal.aborted) {
        const id = randomUUID();
        const status = await send(siteUrl, kind, id).catch(() => 0);
        entries.push({ kind, id, status, at: Date.now() });
        await sleep(pauseMs);
      }
    }),
  );
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(came);
      return judge(entries, databaseUrl);
    },
  };
}

async function judge(entries: readonly Entry[], databaseUrl: string): Promise<History> {
  const acknowledged = entries.filter(isAcknowledged).toSorted((one, other) => one.at - other.at);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: string }>("SELECT id FROM events UNION ALL SELECT uuid AS id FROM accounts");
  await client.end();
  const kept = new Set(rows.map(({ id }) => id));
  const failures = entries.filter(({ status }) => status < 200 || status >= 300);
  const failed = (kind: Kind) => failures.filter((entry) => entry.kind === kind).length;
  const counts = new Map<string, number>();
  for (const { kind, status } of failures) counts.set(`${kind} ${status}`, (counts.get(`${kind} ${status}`) ?? 0) + 1);
  return {
    acknowledged: acknowledged.length,
    acknowledgedIds: acknowledged.map(({ id }) => id),
    lost: acknowledged.filter(({ id }) => !kept.has(id)).map(({ kind, id }) => `${kind} ${id}`),
    writesAwaySeconds: Math.max(0, ...acknowledged.slice(1).map(({ at }, n) => at - (acknowledged[n]?.at ?? at))) / 1_000,
    failed: { event: failed("event"), "sign-up": failed("sign-up"), page: failed("page") },
    pages: entries.filter(({ kind }) => kind === "page").length,
    why: [...counts].map(([what, count]) => `${what} × ${count}`).join(", "),
  };
}
