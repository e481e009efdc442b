import { localeTraits } from "#core/locales.ts";
import type { Handler } from "./shared/handler.ts";
import { isOffered } from "../releases/rollouts.ts";

/**
 * A new uuid and the version that the raffle draws, or the one that the link names; the locale's default if that is unknown (spec 000 §5). The call
 * ignores accounts (spec 000 §6): its flags are those of a visitor without one, and an account's flags come with its login (decision 034).
 */
export const config: Handler<"config"> = async ({ query, device }, { world, questionnaires, rollouts }) => {
  const uuid = world.uuid();
  const { versionId, campaignId = "", uiLanguage } = query;
  const questionnaireVersion =
    versionId === undefined || versionId === ""
      ? await rollouts.draw(uiLanguage, `${device ?? uuid} ${campaignId}`)
      : isOffered(versionId, questionnaires)
        ? versionId
        : questionnaires.defaultVersion[localeTraits[uiLanguage].backend];
  return { uuid, questionnaireVersion, completed: false, entitlementExists: false };
};
