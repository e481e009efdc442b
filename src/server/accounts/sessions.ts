/** Sessions: families of rotating refresh tokens, and the access tokens issued with them. */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import { lockAccounts } from "../store/lockAccounts.ts";
import type { Store } from "../store/store.ts";
import type { AccessTokens } from "./accessTokens.ts";
import { record } from "../store/audit.ts";
import { derivedToken, hashOf, keysFor } from "../base/keys.ts";

const second = 1_000;
const day = 24 * 60 * 60 * second;
export const refreshTokenLife = 30 * day;
/** A session's longest life, however often it is renewed. A device in daily use thus logs in once a year. */
export const sessionLife = 365 * day;
/** A used token that is presented again within this time gets the same successor: two tabs, or a client that names no attempts. */
export const reuseGrace = 10 * second;
/** After finding a session alive, this process assumes for this long that it still is. Sessions that it ends itself are dropped at once. */
export const livenessTrust = 5 * second;
const rememberedSessions = 20_000;
const refreshTokenBytes = 32;

export interface TokenPair {
  readonly accountUuid: string;
  readonly sessionId: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** How long a session that was started by a link stands in for the password. */
export const linkFreshness = 15 * 60 * second;
export type EnteredBy = "password" | "link";
export type EndReason =
  | "logout"
  | "reuse"
  | "password"
  | "email"
  | "undone"
  | "erased"
  | "unconfirmed"
  | "operator"
  | "replaced"
  | "ended elsewhere";

/** A session that is not over, as its owner sees it. */
export interface OpenSession {
  readonly id: string;
  readonly browser: string | null;
  readonly startedAt: number;
  /** When it last got tokens: within 15 minutes of its last call. */
  readonly renewedAt: number;
}
/** The most sessions that the list shows. */
const listedSessions = 100;
/**
 * The most sessions of an account. A further login removes the oldest. Without a limit, somebody who knows the password could log in 300,000 times. Then a new
 * password could not end all these sessions: on PostgreSQL that took longer than a statement may take.
 */
const newestSessions = 1_000;
/** How much one login removes, because a session may have many used tokens. The next login removes more. */
const removedAtOnce = { sessions: 10, tokens: 1_000 } as const;

export interface Sessions {
  /** Starts a family in the caller's transaction. */
  readonly start: (queries: Queries, accountUuid: string, enteredBy: EnteredBy, browser: string) => Promise<TokenPair>;
  /** Whether a link started the session just now, so that it stands in for the password. */
  readonly isFreshFromLink: (sessionId: string) => Promise<boolean>;
  /** A new token pair for a refresh token, or null when the token is invalid. The same attempt gets it again if its answer was lost. */
  readonly rotate: (refreshToken: string, attempt?: string) => Promise<TokenPair | null>;
  /** The session of a refresh token, for rate limiting; null when unknown. */
  readonly sessionOf: (refreshToken: string) => Promise<string | null>;
  /** The account of an open session's refresh token; null when the token is unknown or the session is over. */
  readonly accountOf: (refreshToken: string) => Promise<string | null>;
  /** Why a session has ended; null while it has not. */
  readonly endReasonOf: (sessionId: string) => Promise<string | null>;
  readonly end: (queries: Queries, sessionId: string, reason: EndReason) => Promise<void>;
  /** Ends the family of a refresh token if it belongs to the account, or any account's (null): whoever has the token may end it. */
  readonly endByToken: (queries: Queries, accountUuid: string | null, refreshToken: string, reason: EndReason) => Promise<void>;
  /** Ends an account's sessions, except one if given. */
  readonly endAll: (queries: Queries, accountUuid: string, reason: EndReason, except?: string) => Promise<void>;
  /** The account's open sessions, of its thousand newest, the most recently used first. */
  readonly open: (accountUuid: string) => Promise<readonly OpenSession[]>;
  readonly isAlive: (sessionId: string) => Promise<boolean>;
  /** Like `isAlive`, but looks it up. */
  readonly isStillAlive: (sessionId: string) => Promise<boolean>;
  /** Drops an account's sessions from the cache, so that this process checks them again: the account is being erased. */
  readonly forget: (accountUuid: string) => void;
}

async function insertToken(queries: Queries, sessionId: string, refreshToken: string, issuedAt: number): Promise<void> {
  await queries
    .insertInto("refresh_tokens")
    .values({
      token_hash: hashOf(refreshToken),
      session_id: sessionId,
      issued_at: issuedAt,
      expires_at: issuedAt + refreshTokenLife,
      used_at: null,
      successor_hash: null,
      attempt_hash: null,
    })
    .execute();
}

const rowOf = (queries: Queries, tokenHash: string) =>
  queries
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .leftJoin("erasures", "erasures.account_uuid", "sessions.account_uuid")
    .select([
      "sessions.id as sessionId",
      "sessions.account_uuid as accountUuid",
      "sessions.started_at as startedAt",
      "sessions.ended_at as endedAt",
      "erasures.asked_at as erasedAt",
      "refresh_tokens.expires_at as expiresAt",
      "refresh_tokens.used_at as usedAt",
      "refresh_tokens.successor_hash as successorHash",
      "refresh_tokens.attempt_hash as attemptHash",
    ])
    .where("refresh_tokens.token_hash", "=", tokenHash)
    .executeTakeFirst();

/** Whether a time is at most `within` from now. A time further in the future was written before the clock was set back. */
const isRecent = (world: World, at: number, within: number) => Math.abs(world.now() - at) <= within;

/** Caches the sessions that this process has just seen alive, so that not every call looks them up. */
function createLiveness(store: Store, world: World) {
  /** When each session was last seen alive. */
  const alive = new Map<string, { readonly seenAt: number; readonly accountUuid: string }>();
  const isStillAlive = async (sessionId: string) => {
    const row = await store.read
      .selectFrom("sessions")
      .leftJoin("erasures", "erasures.account_uuid", "sessions.account_uuid")
      .select(["sessions.account_uuid as accountUuid", "sessions.ended_at as endedAt", "erasures.asked_at as erasedAt"])
      .where("sessions.id", "=", sessionId)
      .executeTakeFirst();
    if (row === undefined || row.endedAt !== null || row.erasedAt !== null) {
      alive.delete(sessionId);
      return false;
    }
    if (alive.size >= rememberedSessions) alive.clear();
    alive.set(sessionId, { seenAt: world.now(), accountUuid: row.accountUuid });
    return true;
  };
  return {
    drop: (sessionId: string) => alive.delete(sessionId),
    isAlive: async (sessionId: string) => {
      const known = alive.get(sessionId);
      return (known !== undefined && isRecent(world, known.seenAt, livenessTrust - 1)) || isStillAlive(sessionId);
    },
    isStillAlive,
    forget: (accountUuid: string) => {
      for (const [sessionId, known] of alive) if (known.accountUuid === accountUuid) alive.delete(sessionId);
    },
  };
}

/** Issues the next token of a family, in the caller's transaction. Reusing a token after the grace period, by another attempt, ends its family. */
function createRotation(world: World, secrets: readonly string[], end: Sessions["end"]) {
  const keys = keysFor("refresh", secrets);
  const current = keys[0];
  if (!current) throw new Error("No secret key is configured: refresh tokens cannot be derived");

  /** The successor of a used token, while it is unused itself. */
  async function unusedSuccessor(queries: Queries, refreshToken: string, successorHash: string | null): Promise<string | null> {
    if (successorHash === null) return null;
    const successor = await rowOf(queries, successorHash);
    if (successor?.usedAt !== null) return null;
    return keys.map((key) => derivedToken(key, refreshToken)).find((candidate) => hashOf(candidate) === successorHash) ?? null;
  }

  return async (queries: Queries, refreshToken: string, attempt: string | undefined) => {
    const tokenHash = hashOf(refreshToken);
    const now = world.now();
    const row = await rowOf(queries, tokenHash);
    if (!row || row.endedAt !== null || row.erasedAt !== null) return null;
    if (Math.min(row.expiresAt, row.startedAt + sessionLife) <= now) return null;
    const { accountUuid, sessionId } = row;
    const successor = derivedToken(current, refreshToken);
    const attemptHash = attempt === undefined ? null : hashOf(attempt);
    // The condition lets one of two concurrent calls win. The other finds the token used.
    const won = await queries
      .updateTable("refresh_tokens")
      .set({ used_at: now, successor_hash: hashOf(successor), attempt_hash: attemptHash })
      .where("token_hash", "=", tokenHash)
      .where("used_at", "is", null)
      .executeTakeFirst();
    if (won.numUpdatedRows > 0n) {
      await insertToken(queries, sessionId, successor, now);
      return { accountUuid, sessionId, refreshToken: successor, issuedAt: now };
    }
    const used = await rowOf(queries, tokenHash);
    if (used?.usedAt === null || used === undefined) return null;
    const isWithinGrace = isRecent(world, used.usedAt, reuseGrace);
    const isSameAttempt = attemptHash !== null && used.attemptHash === attemptHash;
    const again = isWithinGrace || isSameAttempt ? await unusedSuccessor(queries, refreshToken, used.successorHash) : null;
    if (again !== null) return { accountUuid, sessionId, refreshToken: again, issuedAt: isWithinGrace ? used.usedAt : now };
    await end(queries, sessionId, "reuse");
    await record(queries, world, accountUuid, "refresh token reused", { sessionId });
    return null;
  };
}

const endReasonOf = async (queries: Queries, sessionId: string): Promise<string | null> =>
  (await queries.selectFrom("sessions").select("end_reason").where("id", "=", sessionId).executeTakeFirst())?.end_reason ?? null;

const openSessions = (queries: Queries, world: World, accountUuid: string): Promise<readonly OpenSession[]> =>
  queries
    .selectFrom((fields) =>
      fields
        .selectFrom("sessions")
        .select(["id", "browser", "started_at", "ended_at"])
        .where("account_uuid", "=", accountUuid)
        .where("started_at", ">", world.now() - sessionLife)
        .orderBy("started_at", "desc")
        .limit(newestSessions)
        .as("sessions"),
    )
    .innerJoin("refresh_tokens", "refresh_tokens.session_id", "sessions.id")
    .where("sessions.ended_at", "is", null)
    .where("refresh_tokens.used_at", "is", null)
    .where("refresh_tokens.expires_at", ">", world.now())
    .select(["sessions.id", "sessions.browser", "sessions.started_at as startedAt", "refresh_tokens.issued_at as renewedAt"])
    .orderBy("refresh_tokens.issued_at", "desc")
    .limit(listedSessions)
    .execute();

/** Removes the account's oldest sessions above `newestSessions`, a few at a time, within the write that starts another one. @returns their ids */
async function removeOldest(queries: Queries, accountUuid: string): Promise<readonly string[]> {
  const oldest = await queries
    .selectFrom("sessions")
    .select("id")
    .where("account_uuid", "=", accountUuid)
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(removedAtOnce.sessions)
    .offset(newestSessions)
    .execute();
  const ids = oldest.map(({ id }) => id);
  if (ids.length === 0) return [];
  await queries
    .deleteFrom("refresh_tokens")
    .where("token_hash", "in", ({ selectFrom }) =>
      selectFrom("refresh_tokens").select("token_hash").where("session_id", "in", ids).limit(removedAtOnce.tokens),
    )
    .execute();
  await queries
    .deleteFrom("sessions")
    .where("id", "in", ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("refresh_tokens").select("token_hash").whereRef("refresh_tokens.session_id", "=", "sessions.id"))),
    )
    .execute();
  return ids;
}

/** Ends one session, and drops it from the cache. */
const createEnd =
  (world: World, drop: (sessionId: string) => void): Sessions["end"] =>
  async (queries, sessionId, reason) => {
    drop(sessionId);
    await queries
      .updateTable("sessions")
      .set({ ended_at: world.now(), end_reason: reason })
      .where("id", "=", sessionId)
      .where("ended_at", "is", null)
      .execute();
  };

interface SessionParts {
  readonly store: Store;
  readonly world: World;
  readonly accessTokens: AccessTokens;
  readonly secrets: readonly string[];
}

/** Starts a session, and removes the account's oldest one if it has too many. */
const createStart =
  ({ world, accessTokens }: Pick<SessionParts, "world" | "accessTokens">, drop: (sessionId: string) => void): Sessions["start"] =>
  async (queries, accountUuid, enteredBy, browser) => {
    const now = world.now();
    const sessionId = world.uuid();
    const refreshToken = world.randomBytes(refreshTokenBytes).toString("base64url");
    await queries
      .insertInto("sessions")
      .values({
        id: sessionId,
        account_uuid: accountUuid,
        started_at: now,
        ended_at: null,
        end_reason: null,
        entered_by: enteredBy,
        browser,
      })
      .execute();
    await insertToken(queries, sessionId, refreshToken, now);
    for (const removed of await removeOldest(queries, accountUuid)) drop(removed);
    return { accountUuid, sessionId, refreshToken, token: await accessTokens.issue({ accountUuid, sessionId }, now) };
  };

export function createSessions(parts: SessionParts): Sessions {
  const { store, world, accessTokens } = parts;
  const { drop, ...liveness } = createLiveness(store, world);

  const end: Sessions["end"] = createEnd(world, drop);
  const rotateIn = createRotation(world, parts.secrets, end);

  return {
    start: createStart(parts, drop),

    rotate: async (refreshToken, attempt) => {
      const rotated = await store.write((queries) => rotateIn(queries, refreshToken, attempt));
      if (!rotated) return null;
      const { accountUuid, sessionId } = rotated;
      return {
        accountUuid,
        sessionId,
        refreshToken: rotated.refreshToken,
        token: await accessTokens.issue({ accountUuid, sessionId }, rotated.issuedAt),
      };
    },

    isFreshFromLink: async (sessionId) => {
      const row = await store.read
        .selectFrom("sessions")
        .select(["started_at", "entered_by"])
        .where("id", "=", sessionId)
        .executeTakeFirst();
      return row?.entered_by === "link" && isRecent(world, row.started_at, linkFreshness);
    },

    sessionOf: async (refreshToken) => (await rowOf(store.read, hashOf(refreshToken)))?.sessionId ?? null,
    accountOf: async (refreshToken) => {
      const row = await rowOf(store.read, hashOf(refreshToken));
      return row?.endedAt === null && row.erasedAt === null ? row.accountUuid : null;
    },
    endReasonOf: (sessionId) => endReasonOf(store.read, sessionId),

    end,

    endByToken: async (queries, accountUuid, refreshToken, reason) => {
      const row = await rowOf(queries, hashOf(refreshToken));
      if (row && (accountUuid === null || row.accountUuid === accountUuid)) await end(queries, row.sessionId, reason);
    },

    endAll: async (queries, accountUuid, reason, except) => {
      liveness.forget(accountUuid);
      // Before its sessions, in the sequence of every write.
      await lockAccounts(queries).where("uuid", "=", accountUuid).execute();
      const open = queries
        .updateTable("sessions")
        .set({ ended_at: world.now(), end_reason: reason })
        .where("account_uuid", "=", accountUuid)
        .where("ended_at", "is", null);
      await (except === undefined ? open : open.where("id", "<>", except)).execute();
    },

    open: (accountUuid) => openSessions(store.read, world, accountUuid),

    ...liveness,
  };
}
