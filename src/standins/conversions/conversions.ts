/** Stand-in for the purchase endpoints of Meta and TikTok: stores each event id once, and fails on request. */
import type { FastifyInstance } from "fastify";
import * as v from "valibot";

const eventsSchema = v.object({ data: v.array(v.looseObject({ event_id: v.string() })) });

export interface ConversionStandin {
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  /** Accepted events, by destination and event id. */
  readonly taken: ReadonlyMap<string, unknown>;
  /** HTTP status of the next answers; 200 accepts. */
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
