/** Operators' sessions: the browser's cookie has a random token, the database its hash. Each sign-in creates a new session. */
import { type Role, roles } from "#studio/contract/call.ts";
import { hashOf } from "../../base/keys.ts";
import type { World } from "../../base/world.ts";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { Operator } from "../handler.ts";

const minute = 60_000;
const hour = 60 * minute;
/** A session ends after this long without a call, ms. */
export const longestIdle = 12 * hour;
/** A session is stale after this long without a call, ms. */
export const longestFreshIdle = 15 * minute;
/** The longest session, ms. It limits how long a stolen cookie can be used. */
export const longestSession = 7 * 24 * hour;
/** The last call is stored at most this often, ms. */
const notedEvery = minute;

export type EnteredBy = "passkey" | "link" | "company";

export interface OperatorSession {
  readonly id: string;
  readonly operator: Operator;
  /** False when the session is stale. */
  readonly fresh: boolean;
}

export const isRole = (role: string): role is Role => roles.some((known) => known === role);

/** Starts a session within the caller's write and returns its token. */
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
 * The session of a token; null when it has ended. Marks it as used, unless the page made the call by itself.
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

/** The operator of a token's session, also after its end; null for an unknown token. */
export async function operatorOfBrowser(queries: Queries, token: string): Promise<string | null> {
  const row = await queries
    .selectFrom("operator_sessions")
    .innerJoin("operators", "operators.id", "operator_sessions.operator_id")
    .select("operators.id")
    .where("token_hash", "=", hashOf(token))
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** An operator's open sessions. */
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

/** Ends one session of an operator, or all. @returns the number of ended sessions */
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
