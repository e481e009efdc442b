import type { Handler } from "./shared/handler.ts";
import { isOffered } from "../releases/rollouts.ts";

/**
 * A new uuid and the raffle's version; a known version named by the link wins the draw. The call knows nobody (spec 000 §6): the
 * flags are those of somebody without an account, an account's own come with its login (decision 034).
 */
export const config: Handler<"config"> = async ({ query, device }, { world, questionnaires, rollouts }) => {
  const uuid = world.uuid();
  const { versionId, campaignId = "", uiLanguage } = query;
  const named = versionId !== undefined && isOffered(versionId, questionnaires) ? versionId : null;
  const questionnaireVersion = named ?? (await rollouts.draw(uiLanguage, `${device ?? uuid} ${campaignId}`));
  return { uuid, questionnaireVersion, completed: false, entitlementExists: false };
};
