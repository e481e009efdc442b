/**
 * Builds PostgreSQL indexes while others write (`CREATE INDEX CONCURRENTLY`). This runs outside a transaction, so the process may be killed between
 * any two steps.
 */
import { sql } from "kysely";
import * as v from "valibot";
import type { Queries } from "./schema.ts";
import { statementsOf } from "./statements.ts";

const creating = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+) ON /i;
const dropping = /^DROP INDEX CONCURRENTLY IF EXISTS \w+$/i;
const validity = v.array(v.object({ indisvalid: v.boolean() }));

/** Null when there is no index of this name. */
async function isValid(queries: Queries, index: string): Promise<boolean | null> {
  const { rows } = await sql`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(${index})`.execute(queries);
  return v.parse(validity, rows)[0]?.indisvalid ?? null;
}

/**
 * Builds a migration's missing indexes. An interrupted or failed build leaves an invalid index, which answers no query and slows every write: it is
 * dropped and built again.
 */
export async function buildIndexes(queries: Queries, script: string): Promise<void> {
  const execute = (text: string) => sql.raw(text).execute(queries);
  for (const { text } of statementsOf(script)) {
    const [, index] = creating.exec(text) ?? [];
    if (index === undefined && !dropping.test(text))
      throw new Error(`"${text}" is neither CREATE INDEX CONCURRENTLY <name> ON … nor DROP INDEX CONCURRENTLY IF EXISTS <name>`);
    if (index === undefined) {
      await execute(text);
      continue;
    }
    const before = await isValid(queries, index);
    if (before === true) continue;
    if (before === false) await execute(`DROP INDEX CONCURRENTLY ${index}`);
    try {
      await execute(text);
    } catch (error) {
      await execute(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      throw error;
    }
  }
}
