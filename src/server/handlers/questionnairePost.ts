import { savedState } from "#core/questionnaire/saved.ts";
import { sql } from "kysely";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { compiledOf } from "../base/compiled.ts";
import { checkedState } from "./shared/savedStates.ts";

/**
 * Saves the account's state. Saving the same state again changes nothing. A state built on an older save than the latest is refused (`newerExists`).
 */
export const questionnairePost: Handler<"questionnairePost"> = async (
  { body, actor },
  { limits, store, world, questionnaires, releases },
) => {
  const { accountUuid } = actor;
  const { uuid = accountUuid } = body.state.user;
  if (uuid !== accountUuid) return refuse("forbidden");
  const tooMany = await limits.take("questionnaire.uuid", accountUuid);
  if (tooMany) return tooMany;
  if (!questionnaires.versions.includes(body.state.id)) return refuse("invalidInput", { fields: { "state.id": "validator_format" } });

  // The structure is the same in every language.
  const checked = checkedState(compiledOf(await releases.questionnaireFor(body.state, "es-419")), body.state);
  if ("misfit" in checked) return refuse("invalidInput", { fields: { [checked.misfit]: "validator_format" } });

  const now = world.now();
  const state = JSON.stringify(savedState({ ...checked.state, user: { ...checked.state.user, uuid } }));
  const builtOn = body.savedAt === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(body.savedAt);
  return store.write(async (queries) => {
    // Raw SQL, because this is by far the most frequent write: building the query each time would cost as much as running it. Two saves never share a
    // time, whatever the clock does, because a later save refers to the time of an earlier one.
    const { rows } = await sql<{ saved_at: number }>`
      INSERT INTO questionnaire_states (account_uuid, version, state, user_level, finished, saved_at)
      VALUES (${accountUuid}, ${body.state.id}, ${state}, ${body.userLevel ?? null}, ${body.state.finished ? 1 : 0}, ${now})
      ON CONFLICT (account_uuid) DO UPDATE SET
        version = excluded.version, state = excluded.state, user_level = excluded.user_level, finished = excluded.finished,
        saved_at = CASE WHEN questionnaire_states.saved_at >= excluded.saved_at THEN questionnaire_states.saved_at + 1 ELSE excluded.saved_at END
      WHERE questionnaire_states.state <> excluded.state AND questionnaire_states.saved_at <= ${builtOn}
      RETURNING saved_at`.execute(queries);
    const [saved] = rows;
    if (saved) return { savedAt: iso(saved.saved_at) };
    const kept = await queries
      .selectFrom("questionnaire_states")
      .select(["state", "saved_at"])
      .where("account_uuid", "=", accountUuid)
      .executeTakeFirstOrThrow();
    return kept.state === state ? { savedAt: iso(kept.saved_at) } : refuse("newerExists", { fields: { savedAt: iso(kept.saved_at) } });
  });
};

function iso(time: number): string {
  return new Date(time).toISOString();
}
