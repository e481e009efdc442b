import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Exchanges a refresh token, which is used up, for a new pair of tokens. */
export const refresh: Handler<"refresh"> = async ({ body }, { accounts, limits }) => {
  const sessionId = await accounts.sessions.sessionOf(body.refreshToken);
  if (sessionId === null) return refuse("invalidRefreshToken");
  const tooMany = await limits.take("refresh.session", sessionId);
  if (tooMany) return tooMany;
  const pair = await accounts.sessions.rotate(body.refreshToken);
  return (pair && (await accounts.describe(pair))) ?? refuse("invalidRefreshToken");
};
