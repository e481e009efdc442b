/** The alert rules. Each checks one condition and returns a sentence when it fails, else null. */
import type { AlertRuleName } from "#studio/contract/operations.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { sql } from "kysely";
import { aboutNothing } from "../../mail/attempts.ts";
import { stateOf } from "../../events/clickhouse/copy.ts";
import type { Queries } from "../../store/schema.ts";

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
/** The number of earlier weeks whose average is the usual number. */
const weeksBack = 4;
/** A process without a heartbeat for this long has ended, ms. */
export const livesFor = minute;
/** With fewer requests, the error rate is too uncertain. */
const fewestRequests = 50;

export interface Rule {
  readonly title: string;
  /** Shown in the settings; `{n}` stands for the threshold. */
  readonly sentence: string;
  readonly usual: number;
  readonly look: (queries: Queries, now: number, threshold: number) => Promise<string | null>;
}

const minutes = (ms: number) => `${Math.floor(ms / minute)} min`;
const count = async (query: { readonly executeTakeFirst: () => Promise<{ readonly n: unknown } | undefined> }) =>
  Number((await query.executeTakeFirst())?.n ?? 0);

function payments(queries: Queries, from: number, to: number): Promise<number> {
  return count(
    queries
      .selectFrom("money_entries")
      .select(sql<unknown>`COUNT(*)`.as("n"))
      .where("kind", "=", "payment")
      // An index has the days.
      .where("day", ">=", dayOf(from))
      .where("day", "<=", dayOf(to))
      .where("at", ">=", from)
      .where("at", "<", to),
  );
}

async function oldest(
  queries: Queries,
  now: number,
  threshold: number,
  { table, since, what }: { readonly table: "mail_outbox" | "payment_duties"; readonly since: "created_at"; readonly what: string },
): Promise<string | null> {
  const row = await queries
    .selectFrom(table)
    .select([sql<unknown>`COUNT(*)`.as("n"), sql<number | string | null>`MIN(${sql.ref(since)})`.as("oldest")])
    .where("next_attempt_at", "is not", null)
    .where("attempts", ">", 0)
    .executeTakeFirst();
  if (row?.oldest == null || now - Number(row.oldest) < threshold * minute) return null;
  return `${String(row.n)} ${what} were tried in vain, the oldest waits for ${minutes(now - Number(row.oldest))}.`;
}

export const rules: Readonly<Record<AlertRuleName, Rule>> = {
  "no-payments": {
    title: "No payments",
    sentence: "No payment for an hour, when this hour of the week usually has {n} or more (mean of four weeks).",
    usual: 3,
    look: async (queries, now, threshold) => {
      if ((await payments(queries, now - hour, now + minute)) > 0) return null;
      let before = 0;
      for (let back = 1; back <= weeksBack; back++) before += await payments(queries, now - hour - back * week, now - back * week);
      const usual = before / weeksBack;
      return usual >= threshold && usual > 0
        ? `No payment for an hour; usually there are ${usual.toFixed(1)} in this hour of the week.`
        : null;
    },
  },
  "webhooks-fail": {
    title: "Webhooks are not applied",
    sentence: "A webhook of the payment provider has waited for more than {n} minutes, or could not be read.",
    usual: 5,
    look: async (queries, now, threshold) => {
      const late = await count(
        queries
          .selectFrom("provider_events")
          .select(sql<unknown>`COUNT(*)`.as("n"))
          .where("applied_at", "is", null)
          .where("received_at", "<", now - threshold * minute),
      );
      const unread = await count(
        queries
          .selectFrom("provider_events")
          .select(sql<unknown>`COUNT(*)`.as("n"))
          .where("error", "is not", null)
          .where("applied_at", "is not", null)
          .where("received_at", ">", now - 24 * hour),
      );
      return late + unread === 0
        ? null
        : `${late} webhooks wait longer than ${threshold} min, ${unread} of the last day could not be read.`;
    },
  },
  "mail-waits": {
    title: "Mails do not go out",
    sentence: "A mail that failed has waited for more than {n} minutes, or was given up within the last hour.",
    usual: 15,
    look: async (queries, now, threshold) => {
      const given = await count(
        queries
          .selectFrom("mail_outbox")
          .select(sql<unknown>`COUNT(*)`.as("n"))
          .where("next_attempt_at", "is", null)
          .where("sent_at", "is", null)
          .where("error", "!=", aboutNothing)
          .where("created_at", ">", now - hour),
      );
      const late = await oldest(queries, now, threshold, { table: "mail_outbox", since: "created_at", what: "mails" });
      return (
        late ??
        (given === 0 ? null : given === 1 ? "A mail of the last hour was given up." : `${given} mails of the last hour were given up.`)
      );
    },
  },
  "duties-wait": {
    title: "The provider does not do what it must",
    sentence: "A refund or cancellation that the provider must carry out has waited for more than {n} minutes, or was given up.",
    usual: 60,
    look: async (queries, now, threshold) => {
      const given = await count(
        queries
          .selectFrom("payment_duties")
          .select(sql<unknown>`COUNT(*)`.as("n"))
          .where("next_attempt_at", "is", null)
          .where("done_at", "is", null),
      );
      const late = await oldest(queries, now, threshold, { table: "payment_duties", since: "created_at", what: "duties" });
      return (
        late ??
        (given === 0
          ? null
          : given === 1
            ? "A duty was given up: somebody has to look."
            : `${given} duties were given up: somebody has to look.`)
      );
    },
  },
  "server-errors": {
    title: "The server fails",
    sentence: `More than {n} in 1,000 answers of the last five minutes were failures (from ${fewestRequests} answers on).`,
    usual: 20,
    look: async (queries, now, threshold) => {
      const row = await queries
        .selectFrom("processes")
        .select([sql<unknown>`SUM(requests)`.as("requests"), sql<unknown>`SUM(failures)`.as("failures")])
        .where("seen_at", ">", now - livesFor)
        .executeTakeFirst();
      const [requests, failures] = [Number(row?.requests ?? 0), Number(row?.failures ?? 0)];
      if (requests < fewestRequests || failures * 1_000 <= threshold * requests) return null;
      return `${failures} of ${requests} answers of the last five minutes were failures.`;
    },
  },
  "page-errors": {
    title: "Errors in visitors' browsers",
    sentence: "More than {n} errors were reported by visitors' pages today.",
    usual: 200,
    look: async (queries, now, threshold) => {
      const row = await queries
        .selectFrom("client_error_counts")
        .select(sql<unknown>`SUM(count)`.as("n"))
        .where("day", "=", new Date(now).toISOString().slice(0, 10))
        .executeTakeFirst();
      const n = Number(row?.n ?? 0);
      return n > threshold ? `${n} errors of visitors' pages today.` : null;
    },
  },
  "money-differs": {
    title: "Books and provider differ",
    sentence: "The latest comparison with a payment provider found more than {n} differences, or a price that differs.",
    usual: 0,
    look: async (queries, _now, threshold) => {
      const rows = await queries.selectFrom("reconciliations").select(["payment_provider", "findings"]).execute();
      const found = rows.flatMap(({ payment_provider: provider, findings }) => {
        const { differences, prices } = JSON.parse(findings) as {
          readonly differences: readonly unknown[];
          readonly prices: readonly unknown[];
        };
        return differences.length > threshold || prices.length > 0
          ? [`${provider}: ${differences.length} differences, ${prices.length} prices differ.`]
          : [];
      });
      return found.length === 0 ? null : found.join(" ");
    },
  },
  "copy-waits": {
    title: "ClickHouse is behind",
    sentence: "Journeys have waited for more than {n} minutes to be copied to ClickHouse. Meanwhile, numbers come from the database.",
    usual: 10,
    look: async (queries, now, threshold) => {
      const state = await stateOf(queries);
      const first = await queries.selectFrom("journey_changes").select("at").orderBy("id").limit(1).executeTakeFirst();
      if (state === undefined || first === undefined || now - first.at < threshold * minute) return null;
      return `Changes wait for ${minutes(now - first.at)} to be copied to ClickHouse.${state.error === null ? "" : ` ${state.error}`}`;
    },
  },
};
