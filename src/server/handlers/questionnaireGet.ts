import { parseSavedState } from "#core/questionnaire/storedState.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** The account's saved state; null when there is none. Another account's uuid and an unknown one get the same answer (`forbidden`). */
export const questionnaireGet: Handler<"questionnaireGet"> = async ({ query, actor, log }, { store }) => {
  if (query.uuid !== actor.accountUuid) return refuse("forbidden");
  const row = await store.read
    .selectFrom("questionnaire_states")
    .select(["state", "saved_at"])
    .where("account_uuid", "=", actor.accountUuid)
    .executeTakeFirst();
  if (!row) return { state: null };
  const parsed = parseSavedState(JSON.parse(row.state));
  if (parsed === null) log.warn({ account: actor.accountUuid }, "A saved state cannot be read any more");
  // A visitor with an invalid state starts anew (spec 001 §4), which differs from never having saved one.
  return { state: parsed ?? "invalid", savedAt: new Date(row.saved_at).toISOString() };
};
