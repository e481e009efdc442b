import type { Handler } from "../handler.ts";
import { drawVersion, isOffered } from "../raffle.ts";

/** A new uuid and the raffle's version for a visitor; an account's own ones with a token (spec 000 §7). A known version named by the link wins the draw. */
export const config: Handler<"config"> = async ({ query, actor, device }, { world, accounts, questionnaires, settings }) => {
  const known = actor && (await accounts.progressOf(actor.accountUuid));
  if (actor && known) return { uuid: actor.accountUuid, ...known };

  const uuid = world.uuid();
  const { versionId, campaignId = "", uiLanguage } = query;
  const named = versionId !== undefined && isOffered(versionId, questionnaires) ? versionId : null;
  const questionnaireVersion =
    named ?? drawVersion(settings.raffle[uiLanguage], questionnaires, uiLanguage, `${device ?? uuid} ${campaignId}`);
  return { uuid, questionnaireVersion, completed: false, entitlementExists: false };
};
