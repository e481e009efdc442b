import type { Handler } from "./shared/handler.ts";

export const sessions: Handler<"sessions"> = async ({ actor }, { accounts }) => {
  const open = await accounts.sessions.open(actor.accountUuid);
  return {
    sessions: open.map(({ id, browser, startedAt, renewedAt }) => ({
      id,
      browser: browser ?? "",
      startedAt: new Date(startedAt).toISOString(),
      usedAt: new Date(renewedAt).toISOString(),
      current: id === actor.sessionId,
    })),
  };
};
