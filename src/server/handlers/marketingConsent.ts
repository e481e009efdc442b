import { refuse } from "../base/refusal.ts";
import { isErased } from "../store/lockAccounts.ts";
import type { Handler } from "./shared/handler.ts";

/** Stores the latest choice with the account, and each change with its time as the record of consent. */
export const marketingConsent: Handler<"marketingConsent"> = async ({ body, actor }, { store, world }) => {
  const now = world.now();
  const consent = body.consent ? 1 : 0;
  return store.write(async (queries) => {
    const changed = await queries
      .updateTable("accounts")
      .set({ marketing_consent: consent, updated_at: now })
      .where("uuid", "=", actor.accountUuid)
      .where(({ or, eb }) => or([eb("marketing_consent", "is", null), eb("marketing_consent", "!=", consent)]))
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) return (await isErased(queries, actor.accountUuid)) ? refuse("invalidAccessToken") : {};
    await queries
      .insertInto("marketing_consents")
      .values({ id: world.uuid(), account_uuid: actor.accountUuid, consent, given_at: now })
      .execute();
    return {};
  });
};
