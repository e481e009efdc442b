import { provenElsewhere } from "#core/errorBody.ts";
import type { EndReason } from "../accounts/sessions.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Exchanges a refresh token, which is used up, for a new pair of tokens. A device that the address's owner has logged out is told so (decision 047). */
export const refresh: Handler<"refresh"> = async ({ body }, { accounts, limits }) => {
  const sessionId = await accounts.sessions.sessionOf(body.refreshToken);
  if (sessionId === null) return refuse("invalidRefreshToken");
  const tooMany = await limits.take("refresh.session", sessionId);
  if (tooMany) return tooMany;
  const pair = await accounts.sessions.rotate(body.refreshToken, body.attempt);
  const renewed = pair && (await accounts.describe(pair));
  if (renewed) return renewed;
  const reason: EndReason = "unconfirmed";
  return (await accounts.sessions.endReasonOf(sessionId)) === reason
    ? refuse("invalidRefreshToken", { fields: { refreshToken: provenElsewhere } })
    : refuse("invalidRefreshToken");
};
