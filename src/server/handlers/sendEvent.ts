import { timeOrderedId } from "#core/timeOrderedId.ts";
import { createGate } from "../base/gate.ts";
import { keepEvents, kilobytesOf } from "../events/keep.ts";
import type { Store } from "../store/store.ts";
import type { Handler } from "./shared/handler.ts";

/**
 * The most events that are written at the same time. The other batches wait outside the store, so that they delay nobody else's writes. Saves of
 * answers waited more than a second behind 128 batches.
 */
const mostAtOnce = 400;
/**
 * On PostgreSQL each call has a connection to itself while it is written, and everybody shares twenty: 400 calls with one event each made others wait
 * for seconds. So a call weighs as much as this many events.
 */
const leastWeight = { sqlite: 1, postgres: mostAtOnce / 8 } as const;
const gates = new WeakMap<Store, ReturnType<typeof createGate>>();
function gateTo(store: Store): ReturnType<typeof createGate> {
  const gate = gates.get(store) ?? createGate(mostAtOnce);
  gates.set(store, gate);
  return gate;
}

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
  const kilobytes = kilobytesOf(sent.events);
  const tooMany =
    (await limits.take("events.network", network, Math.max(sent.events.length, kilobytes))) ??
    (await limits.take("event-kilobytes.network", network, kilobytes));
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
  const weight = Math.max(batch.events.length, leastWeight[store.dialect]);
  return { accepted: await gateTo(store)(weight, () => store.write((queries) => keepEvents(queries, batch))) };
};
