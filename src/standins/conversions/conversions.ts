/** Stands in for Meta's and TikTok's receivers of purchases: keeps what comes, counts an id once, and fails when told to. */
import type { FastifyInstance } from "fastify";
import * as v from "valibot";

const eventsSchema = v.object({ data: v.array(v.looseObject({ event_id: v.string() })) });

export interface ConversionStandin {
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  /** What was taken, by destination and event id. */
  readonly taken: ReadonlyMap<string, unknown>;
  /** The status of the next answers; with 200 it accepts. */
  status: number;
}

export function createConversionStandin(): ConversionStandin {
  const taken = new Map<string, unknown>();
  const standin: ConversionStandin = {
    taken,
    status: 200,
    async plugin(app) {
      const take = (name: string, body: unknown) => {
        const { data } = v.parse(eventsSchema, body);
        for (const event of data) taken.set(`${name} ${event.event_id}`, event);
        return data.length;
      };
      app.post("/meta/:pixel/events", async ({ body }, reply) =>
        standin.status === 200
          ? { events_received: take("meta", body) }
          : reply.status(standin.status).send({ error: { message: "told to fail" } }),
      );
      app.post("/tiktok/event/track/", async ({ body }, reply) => {
        if (standin.status >= 500) return reply.status(standin.status).send({});
        if (standin.status !== 200) return { code: 40_002, message: "told to fail" };
        take("tiktok", body);
        return { code: 0, message: "OK" };
      });
    },
  };
  return standin;
}
