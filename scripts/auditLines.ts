/**
 * `npm run audit-lines -- <file>`: compares audit lines that another system collected from the log with the database's rows. Names each line whose row
 * is missing or says something else, and exits with 1. An erasure may empty a row's account, and rows end after three years.
 */
import { readEnv } from "#server/env.ts";
import { retentionPeriods } from "#server/base/retentionPeriods.ts";
import type { Queries } from "#server/store/schema.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqliteReader } from "#server/store/sqlite.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    audit: v.object({
      id: v.string(),
      at: v.number(),
      action: v.string(),
      operator: v.optional(v.nullable(v.string())),
      account: v.nullable(v.string()),
    }),
  }),
);
type Line = v.InferOutput<typeof lineSchema>["audit"];

async function rowOf(read: Queries, { id, operator }: Line) {
  if (operator === undefined) {
    const row = await read.selectFrom("audit").select(["at", "kind", "account_uuid"]).where("id", "=", id).executeTakeFirst();
    return row && { at: row.at, action: row.kind, operator: undefined, account: row.account_uuid };
  }
  const row = await read
    .selectFrom("operator_audit")
    .select(["at", "action", "operator_id", "account_uuid"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row && { at: row.at, action: row.action, operator: row.operator_id, account: row.account_uuid };
}

/** What is wrong with a line's row; null if nothing. */
async function faultOf(read: Queries, line: Line): Promise<string | null> {
  const row = await rowOf(read, line);
  if (row === undefined) return "its row is missing";
  const changed = (["at", "action", "operator"] as const).filter((field) => row[field] !== line[field]);
  if (row.account !== line.account && row.account !== null) return "its row names another account";
  return changed.length > 0 ? `its row has another ${changed.join(", ")}` : null;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Name the file with the collected lines: npm run audit-lines -- <file>");
const settings = readEnv(process.env);
const { read, close } =
  settings.databaseUrl === null
    ? openSqliteReader(join(settings.dataDir, "parlando.sqlite"))
    : openPostgres(settings.databaseUrl, () => {});
const lines = readFileSync(file, "utf8")
  .split("\n")
  .map((text) => v.safeParse(lineSchema, text))
  .flatMap(({ success, output }) => (success ? [output.audit] : []))
  .filter(({ at }) => at > Date.now() - retentionPeriods.audit);
let faults = 0;
for (const line of lines) {
  const fault = await faultOf(read, line);
  if (fault === null) continue;
  faults += 1;
  console.error(`${new Date(line.at).toISOString()} ${line.id} "${line.action}": ${fault}`);
}
await close();
console.log(`${lines.length} audit lines, ${faults} without their row`);
process.exitCode = faults > 0 || lines.length === 0 ? 1 : 0;
