import type { Handler } from "../handler.ts";

/** Keeps events; `accepted` is how many of them were not known yet, because the same id counts once. */
export const sendEvent: Handler<"sendEvent"> = async ({ body, actor, device, country, network }, { limits, store, world }) => {
  const sent = "events" in body ? body.events : [body];
  const tooMany = await limits.take("events.network", network, sent.length);
  if (tooMany) return tooMany;
  const now = world.now();
  const rows = sent.map(({ id, eventType, payload, at }) => ({
    id,
    event_type: eventType,
    account_uuid: actor?.accountUuid ?? null,
    device_id: device,
    country,
    payload: JSON.stringify(payload),
    happened_at: Date.parse(at),
    received_at: now,
  }));
  return store.write(async (queries) => {
    const result = await queries
      .insertInto("events")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return { accepted: Number(result.numInsertedOrUpdatedRows ?? 0n) };
  });
};
