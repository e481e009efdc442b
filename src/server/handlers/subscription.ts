import { userLevelOrNull } from "#core/questionnaire/level.ts";
import { parseSavedState } from "#core/questionnaire/storedState.ts";
import { planView } from "../payments/planView.ts";
import type { Handler } from "./shared/handler.ts";
import { compiledOf } from "./shared/savedStates.ts";

/** The account's current plan, with the level of its saved answers. */
export const subscription: Handler<"subscription"> = async ({ actor }, { payments, store, releases, questionnaires }) => {
  const plan = planView(await payments.planOf(actor.accountUuid));
  if (plan === null) return { subscription: null };
  const row = await store.read
    .selectFrom("questionnaire_states")
    .select("state")
    .where("account_uuid", "=", actor.accountUuid)
    .executeTakeFirst();
  const saved = row === undefined ? null : parseSavedState(JSON.parse(row.state));
  if (saved === null || !questionnaires.versions.includes(saved.id)) return { subscription: plan };
  // The level depends on no text, so any locale will do.
  const compiled = compiledOf(await releases.questionnaireFor(saved, "es-419"));
  return { subscription: { ...plan, level: userLevelOrNull(compiled, saved) } };
};
