import type { Handler } from "./shared/handler.ts";

/** Ends the session the access token came from, and the given refresh token's family when that is another of the account's. */
export const logout: Handler<"logout"> = async ({ actor, body }, { store, accounts }) => {
  await store.write(async (queries) => {
    await accounts.sessions.end(queries, actor.sessionId, "logout");
    if (body.refreshToken !== undefined) await accounts.sessions.endByToken(queries, actor.accountUuid, body.refreshToken, "logout");
  });
  return {};
};
