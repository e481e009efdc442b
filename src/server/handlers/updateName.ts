import { refuse } from "../base/refusal.ts";
import type { Handler } from "./shared/handler.ts";

export const updateName: Handler<"updateName"> = async ({ body, actor }, { store, world }) => {
  const { numUpdatedRows } = await store.write((queries) =>
    queries
      .updateTable("accounts")
      .set({ firstname: body.firstname, updated_at: world.now() })
      .where("uuid", "=", actor.accountUuid)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n ? {} : refuse("invalidAccessToken");
};
