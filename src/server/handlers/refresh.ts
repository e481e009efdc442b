import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** A new pair of tokens for a refresh token that is used up by it. */
export const refresh: Handler<"refresh"> = async ({ body }, { accounts, limits }) => {
  const sessionId = await accounts.sessions.sessionOf(body.refreshToken);
  if (sessionId === null) return refuse("invalidRefreshToken");
  const tooMany = await limits.take("refresh.session", sessionId);
  if (tooMany) return tooMany;
  const pair = await accounts.sessions.rotate(body.refreshToken);
  return (pair && (await accounts.describe(pair))) ?? refuse("invalidRefreshToken");
};
