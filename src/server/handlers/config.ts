import { localeTraits } from "#core/locales.ts";
import type { Handler } from "./shared/handler.ts";
import { isOffered } from "../releases/rollouts.ts";

/**
 * Answers a new uuid and a version. The raffle draws the version, or the link names it; if that name is unknown, it is the locale's default (spec 000 §5). The
 * call ignores accounts (spec 000 §6): its flags are those of a visitor without an account. An account's flags come with its login (decision 034).
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
