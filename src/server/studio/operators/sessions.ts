/** Sessions of operators: a random token in the browser's cookie, its hash here. Each sign-in makes a new one. */
import { type Role, roles } from "#studio/contract/call.ts";
import { hashOf } from "../../base/keys.ts";
import type { World } from "../../base/world.ts";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { Operator } from "../handler.ts";

const minute = 60_000;
const hour = 60 * minute;
/** Without a call for so long it is over. */
export const longestIdle = 12 * hour;
/** Without a call for so long people and money ask for a sign-in again. */
export const longestFreshIdle = 15 * minute;
/** However busy it is: a cookie that somebody took does not stay good. */
export const longestSession = 7 * 24 * hour;
/** A call is noted when the last note is older than this. */
const notedEvery = minute;

export type EnteredBy = "passkey" | "link" | "company";

export interface OperatorSession {
  readonly id: string;
  readonly operator: Operator;
  /** Whether people and money are open. */
  readonly fresh: boolean;
}

export const isRole = (role: string): role is Role => roles.some((known) => known === role);

/** Starts a session within the caller's write; gives its token. */
export async function startSession(
  queries: Queries,
  world: World,
  session: { readonly operatorId: string; readonly enteredBy: EnteredBy; readonly browser: string; readonly network: string },
): Promise<string> {
  const now = world.now();
  const token = world.randomBytes(32).toString("base64url");
  await queries
    .insertInto("operator_sessions")
    .values({
      id: world.uuid(),
      token_hash: hashOf(token),
      operator_id: session.operatorId,
      entered_by: session.enteredBy,
      browser: session.browser,
      network: session.network,
      started_at: now,
      seen_at: now,
      fresh_at: now,
      ended_at: null,
    })
    .execute();
  return token;
}

/**
 * Whose session a token is, noted as seen; null when it is over. A call that the page makes by itself keeps nothing open.
 */
export async function sessionOf(
  { store, world }: { readonly store: Store; readonly world: World },
  token: string,
  byItself: boolean,
): Promise<OperatorSession | null> {
  const now = world.now();
  const row = await store.read
    .selectFrom("operator_sessions")
    .innerJoin("operators", "operators.id", "operator_sessions.operator_id")
    .select([
      "operator_sessions.id as sessionId",
      "seen_at",
      "fresh_at",
      "started_at",
      "operators.id",
      "operators.address as email",
      "operators.name",
      "operators.role",
    ])
    .where("token_hash", "=", hashOf(token))
    .where("ended_at", "is", null)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || !isRole(row.role)) return null;
  if (now - row.seen_at >= longestIdle || now - row.started_at >= longestSession) return null;
  const fresh = now - row.fresh_at < longestFreshIdle;
  if (!byItself && now - row.seen_at >= notedEvery)
    await store.write(async (queries) => {
      await queries
        .updateTable("operator_sessions")
        .set({ seen_at: now, ...(fresh ? { fresh_at: now } : {}) })
        .where("id", "=", row.sessionId)
        .execute();
    });
  return { id: row.sessionId, operator: { id: row.id, email: row.email, name: row.name, role: row.role }, fresh };
}

/** Sessions of an operator that still open the studio. */
export const openSessions = (queries: Queries, world: World, operatorId: string) =>
  queries
    .selectFrom("operator_sessions")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .where("ended_at", "is", null)
    .where("seen_at", ">", world.now() - longestIdle)
    .where("started_at", ">", world.now() - longestSession)
    .orderBy("seen_at", "desc")
    .execute();

/** Ends one session of an operator, or all. @returns how many that were */
export async function endSessions(
  queries: Queries,
  world: World,
  operatorId: string,
  which: { readonly id?: string; readonly but?: string } = {},
): Promise<number> {
  let query = queries
    .updateTable("operator_sessions")
    .set({ ended_at: world.now() })
    .where("operator_id", "=", operatorId)
    .where("ended_at", "is", null);
  if (which.id !== undefined) query = query.where("id", "=", which.id);
  if (which.but !== undefined) query = query.where("id", "<>", which.but);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}
