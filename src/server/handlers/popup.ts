import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Records when a popup was first shown. */
export const popup: Handler<"popup"> = async ({ body, actor }, { store, world, questionnaires }) => {
  if (body.uuid !== actor.accountUuid) return refuse("forbidden");
  if (!questionnaires.versions.includes(body.questionnaire))
    return refuse("invalidInput", { fields: { questionnaire: "validator_format" } });
  await store.write((queries) =>
    queries
      .insertInto("popups")
      .values({ account_uuid: actor.accountUuid, questionnaire: body.questionnaire, popup_id: body.popupId, shown_at: world.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  return {};
};
