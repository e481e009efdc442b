import type { SubscriptionView } from "#core/api.ts";
import { userLevelOrNull } from "#core/questionnaire/level.ts";
import { parseSavedState } from "#core/questionnaire/storedState.ts";
import { ownVersion } from "../../accounts/ownVersion.ts";
import { planView } from "../../payments/planView.ts";
import type { Plan } from "../../payments/service.ts";
import { compiledOf } from "../../base/compiled.ts";
import type { Services } from "./services.ts";

/** The plan with what the account's saved answers add: the questionnaire's version and the level. */
export async function ownPlan(
  plan: Plan | null,
  accountUuid: string,
  { store, releases, questionnaires }: Pick<Services, "store" | "releases" | "questionnaires">,
): Promise<SubscriptionView | null> {
  const view = planView(plan);
  if (view === null) return null;
  const account = await store.read
    .selectFrom("accounts")
    .leftJoin("questionnaire_states", "questionnaire_states.account_uuid", "accounts.uuid")
    .select([
      "accounts.locale",
      "accounts.questionnaire_version as signedUpVersion",
      "questionnaire_states.version as savedVersion",
      "questionnaire_states.state",
    ])
    .where("accounts.uuid", "=", accountUuid)
    .executeTakeFirst();
  if (account === undefined) return view;
  const own = { ...view, version: ownVersion(questionnaires, account) };
  const saved = account.state === null ? null : parseSavedState(JSON.parse(account.state));
  if (saved === null || !questionnaires.versions.includes(saved.id)) return own;
  // The level depends on no text, so any locale will do.
  const compiled = compiledOf(await releases.questionnaireFor(saved, "es-419"));
  return { ...own, level: userLevelOrNull(compiled, saved) };
}
