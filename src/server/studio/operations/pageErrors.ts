/**
 * Errors of visitors' pages by cause, the most frequent first. Strangers can report any number, so the answer is bounded, and the rows are read on
 * the counting thread.
 */
import type { OutputOf } from "#studio/contract/call.ts";
import type { operationsCalls } from "#studio/contract/operations.ts";
import { sql } from "kysely";
import { allowingStatistics } from "../../events/statisticsConsent.ts";
import type { ClientErrorsTable } from "../../store/operationTables.ts";
import type { Queries } from "../../store/schema.ts";

const mostCauses = 200;
/** The most versions, and the most pages, named for each cause. */
const mostWords = 20;

type Column = "app_version" | "browser" | "questionnaire" | "route";

/** The most frequent values of a column, by cause. */
async function wordsOf(
  queries: Queries,
  since: string,
  causes: readonly string[],
  column: Column,
): Promise<(cause: string) => readonly string[]> {
  const ranked = queries
    .selectFrom("client_error_counts")
    .select(["cause", `${column} as word`])
    .select(sql<number>`row_number() OVER (PARTITION BY cause ORDER BY SUM(count) DESC, ${sql.ref(column)})`.as("place"))
    .where("day", ">=", since)
    .where("cause", "in", causes)
    .where(column, "<>", "")
    .groupBy(["cause", column])
    .as("ranked");
  const rows = await queries.selectFrom(ranked).select(["cause", "word"]).where("place", "<=", mostWords).execute();
  const byCause = Map.groupBy(rows, ({ cause }) => cause);
  return (cause) => (byCause.get(cause) ?? []).map(({ word }) => word).toSorted();
}

export async function pageErrors(
  queries: Queries,
  { since }: { readonly since: string },
): Promise<OutputOf<(typeof operationsCalls)["clientErrors"]>> {
  const sums = await queries
    .selectFrom("client_error_counts")
    .select(["cause", ({ fn }) => fn.sum("count").as("n")])
    .where("day", ">=", since)
    .groupBy("cause")
    .orderBy("n", "desc")
    .orderBy("cause")
    .limit(mostCauses)
    .execute();
  const causes = sums.map(({ cause }) => cause);
  if (causes.length === 0) return [];
  const rows = await queries.selectFrom("client_errors").selectAll().where("cause", "in", causes).execute();
  const words = (column: Column) => wordsOf(queries, since, causes, column);
  const [versions, browsers, questionnaires, routes] = [
    await words("app_version"),
    await words("browser"),
    await words("questionnaire"),
    await words("route"),
  ];
  const visitOf = await replayable(queries, rows);
  return sums.flatMap(({ cause, n }) => {
    const row = rows.find((each) => each.cause === cause);
    if (row === undefined) return [];
    const { message, place, stack } = row;
    return [
      {
        cause,
        message,
        place,
        stack,
        firstAt: Number(row.first_at),
        lastAt: Number(row.last_at),
        count: Number(n),
        versions: [...versions(cause)],
        browsers: [...browsers(cause)],
        questionnaires: [...questionnaires(cause)],
        routes: [...routes(cause)],
        visit: visitOf(row),
      },
    ];
  });
}

/** The visit of a row, if it may be replayed: it still exists, and its visitor has not refused statistics since. */
async function replayable(queries: Queries, rows: readonly ClientErrorsTable[]) {
  const devices = [
    ...(await allowingStatistics(
      queries,
      rows.flatMap(({ device_id: device }) => device ?? []),
    )),
  ];
  const kept =
    devices.length === 0
      ? []
      : await queries.selectFrom("journeys").select(["device_id", "version"]).where("device_id", "in", devices).execute();
  const names = new Set(kept.map(({ device_id: device, version }) => `${device} ${version}`));
  return ({ device_id: visit, version }: ClientErrorsTable) =>
    visit !== null && version !== null && names.has(`${visit} ${version}`) ? { visit, version } : null;
}
