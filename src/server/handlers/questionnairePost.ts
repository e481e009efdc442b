import { isLocale } from "#core/locales.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type Handler, refuse } from "../handler.ts";
import { checkedState, compiledOf } from "../savedStates.ts";
import { localeForCountry } from "../visitor.ts";

const defaultCountry = "MX";

/** Saves the account's state. The same state again changes nothing; one built on an older save than the latest is refused (1409). */
export const questionnairePost: Handler<"questionnairePost"> = async ({ body, actor, country }, { limits, store, world, questionnaires }) => {
  const { accountUuid } = actor;
  const { uuid = accountUuid, uiLanguage } = body.state.user;
  if (uuid !== accountUuid) return refuse(1403);
  const tooMany = await limits.take("questionnaire.uuid", accountUuid);
  if (tooMany) return tooMany;
  if (!questionnaires.versions.includes(body.state.id)) return refuse(1000, { fields: { "state.id": "validator_format" } });

  const now = world.now();
  const locale = isLocale(uiLanguage) ? uiLanguage : localeForCountry(country);
  const context = { locale, country: country ?? defaultCountry, platform: "other", requiresMarketingConsent: false, today: new Date(now).toISOString().slice(0, 10) } as const;
  const checked = checkedState(compiledOf(questionnaires.questionnaireFor(body.state.id, locale)), body.state, context);
  if ("misfit" in checked) return refuse(1000, { fields: { [checked.misfit]: "validator_format" } });

  const state = JSON.stringify(savedState({ ...checked.state, user: { ...checked.state.user, uuid } }));
  const row = { version: body.state.id, state, user_level: body.userLevel ?? null, finished: body.state.finished ? 1 : 0, saved_at: now };
  return store.write(async (queries) => {
    const [saved] = await queries
      .insertInto("questionnaire_states")
      .values({ account_uuid: accountUuid, ...row })
      .onConflict((conflict) =>
        conflict
          .column("account_uuid")
          .doUpdateSet((q) => ({
            ...row,
            // Two saves never share a time, whatever the clock does: it is what a later one refers to.
            saved_at: q.case().when("questionnaire_states.saved_at", ">=", now).then(q("questionnaire_states.saved_at", "+", 1)).else(now).end(),
          }))
          .where("questionnaire_states.state", "<>", state)
          .where("questionnaire_states.saved_at", "<=", body.savedAt === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(body.savedAt)),
      )
      .returning("saved_at")
      .execute();
    if (saved) return { savedAt: iso(saved.saved_at) };
    const kept = await queries.selectFrom("questionnaire_states").select(["state", "saved_at"]).where("account_uuid", "=", accountUuid).executeTakeFirstOrThrow();
    return kept.state === state ? { savedAt: iso(kept.saved_at) } : refuse(1409, { fields: { savedAt: iso(kept.saved_at) } });
  });
};

function iso(time: number): string {
  return new Date(time).toISOString();
}
