import { lockAccounts } from "../store/lockAccounts.ts";
import type { Handler } from "./shared/handler.ts";

/** Ends the session of the access token, and the family of the given refresh token if that is another session of the account. */
export const logout: Handler<"logout"> = async ({ actor, body }, { store, accounts }) => {
  await store.write(async (queries) => {
    await lockAccounts(queries).where("uuid", "=", actor.accountUuid).execute();
    await accounts.sessions.end(queries, actor.sessionId, "logout");
    if (body.refreshToken !== undefined) await accounts.sessions.endByToken(queries, actor.accountUuid, body.refreshToken, "logout");
  });
  return {};
};
