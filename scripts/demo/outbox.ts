/** Collects the events of an invented visit and sends them in batches, like the outbox of a real page. */
import { shippedRelease } from "#content/questionnaires/bundleHash.ts";
import { isVersion } from "#content/questionnaires/index.ts";
import { batchLimit, type SentEvent } from "#core/events.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Client } from "./client.ts";
import type { Visit } from "./visits.ts";

interface Told {
  readonly uuid: string;
  readonly compiled: CompiledQuestionnaire;
  readonly state: () => State;
}

export function createOutbox(
  { chance, locale, country, platform, campaign, device }: Visit,
  { now }: { readonly now: () => number },
  client: Client,
  { uuid, compiled, state }: Told,
) {
  const waiting: SentEvent[] = [];
  let sequence = 0;
  return {
    waiting: () => waiting.length,
    track(eventType: SentEvent["eventType"], payload: Readonly<Record<string, unknown>>) {
      sequence += 1;
      waiting.push({
        eventType,
        payload: {
          uuid,
          questionnaire: compiled.definition.id,
          ...(isVersion(compiled.definition.id) ? { release: shippedRelease(compiled.definition.id).name } : {}),
          locale,
          country,
          platform,
          theme: compiled.definition.theme,
          questionId: state().currentQuestionId,
          ...(campaign === undefined ? {} : { campaignId: campaign }),
          ...payload,
        },
        id: chance.uuid(),
        at: new Date(now()).toISOString(),
        sequence,
      } as SentEvent);
    },
    async send() {
      for (let batch = waiting.splice(0, batchLimit); batch.length > 0; batch = waiting.splice(0, batchLimit))
        await client.call("sendEvent", { body: { events: batch, device, sentAt: new Date(now()).toISOString() } });
    },
  };
}
