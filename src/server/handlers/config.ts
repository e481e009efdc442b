import type { Handler } from "./shared/handler.ts";
import { isOffered } from "../releases/rollouts.ts";

/**
 * A new uuid and the version that the raffle draws; a known version named by the link takes precedence. The call ignores accounts (spec 000 §6): its
 * flags are those of a visitor without one, and an account's flags come with its login (decision 034).
 */
export const config: Handler<"config"> = async ({ query, device }, { world, questionnaires, rollouts }) => {
  const uuid = world.uuid();
  const { versionId, campaignId = "", uiLanguage } = query;
  const named = versionId !== undefined && isOffered(versionId, questionnaires) ? versionId : null;
  const questionnaireVersion = named ?? (await rollouts.draw(uiLanguage, `${device ?? uuid} ${campaignId}`));
  return { uuid, questionnaireVersion, completed: false, entitlementExists: false };
};
