import { refusesAdvertising } from "../base/visitor.ts";
import { isErased } from "../store/lockAccounts.ts";
import type { Handler } from "./shared/handler.ts";

/** Stores the proof of a consent choice, without the person if their account has just been erased. The same record sent twice counts once. */
export const consent: Handler<"consent"> = async ({ body, actor, device, country, headers }, { store, world }) => {
  const { functional, analytics } = body.categories;
  const overruled = body.categories.marketing && refusesAdvertising(headers);
  const marketing = body.categories.marketing && !overruled;
  const accountUuid = actor?.accountUuid ?? null;
  await store.write(async (queries) => {
    const erased = accountUuid !== null && (await isErased(queries, accountUuid));
    await queries
      .insertInto("consent_records")
      .values({
        id: body.id,
        device_id: erased ? null : device,
        account_uuid: erased ? null : accountUuid,
        // If the device's clock is ahead, its next choice must still be later than this one.
        chosen_at: Math.min(Date.parse(body.at), world.now()),
        received_at: world.now(),
        text_version: body.textVersion,
        functional: functional ? 1 : 0,
        analytics: analytics ? 1 : 0,
        marketing: marketing ? 1 : 0,
        source: overruled ? "gpc" : body.source,
        country,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return {};
};
