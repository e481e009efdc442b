import { timeOrderedId } from "#core/timeOrderedId.ts";
import { keepEvents } from "../events/keep.ts";
import type { Handler } from "./shared/handler.ts";

/**
 * Stores events. `accepted` is the number of new ones: the same id counts once. A single event needs no id or time; without them it happens now and
 * counts each time.
 */
export const sendEvent: Handler<"sendEvent"> = async (
  { body, actor, device, country, network },
  { limits, store, world, questionnaires },
) => {
  const now = world.now();
  const sent =
    "events" in body
      ? body
      : {
          events: [{ ...body, id: body.id ?? timeOrderedId(now, world.uuid()), at: body.at ?? new Date(now).toISOString() }],
          device: undefined,
          sentAt: undefined,
        };
  const tooMany = await limits.take("events.network", network, sent.events.length);
  if (tooMany) return tooMany;
  const batch = {
    events: sent.events,
    versions: questionnaires.versions,
    // A beacon cannot set headers.
    device: device ?? sent.device ?? null,
    sentAt: sent.sentAt === undefined ? null : Date.parse(sent.sentAt),
    accountUuid: actor?.accountUuid ?? null,
    country,
    receivedAt: now,
  };
  return { accepted: await store.write((queries) => keepEvents(queries, batch)) };
};
