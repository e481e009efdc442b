import { missingProofOf } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";

/** Ends one of the account's sessions, or all others. Needs a proof, so that somebody with a stolen access token cannot log the owner out. */
export const endSessions: Handler<"endSessions"> = async (call, services) => {
  const { actor, body } = call;
  const { store, accounts } = services;
  const missing = await missingProofOf(call, { proof: "device", password: body.password }, services);
  if (missing) return missing;
  const { id } = body;
  await store.write(async (queries) => {
    if (id === undefined) return accounts.sessions.endAll(queries, actor.accountUuid, "ended elsewhere", actor.sessionId);
    const own = await queries
      .selectFrom("sessions")
      .select("id")
      .where("id", "=", id)
      .where("account_uuid", "=", actor.accountUuid)
      .executeTakeFirst();
    if (own) await accounts.sessions.end(queries, own.id, "ended elsewhere");
  });
  return {};
};
