/** Answers that go on: server-sent events, with a sign of life in between, until nobody listens, may listen, or the process ends. */
import type { FastifyReply } from "fastify";
import { PassThrough } from "node:stream";
import * as v from "valibot";
import { refuse } from "./base/refusal.ts";
import { answerRefusal } from "./failures.ts";

/** Proxies cut off what is silent for a minute. */
const signOfLifeMs = 20_000;
/** Streams that one operator may have open in a process. One more is refused: were an older one ended, its page would connect again and end the next. */
const mostAtOnce = 10;

export interface EventStreams {
  readonly answer: (
    reply: FastifyReply,
    stream: {
      readonly operatorId: string;
      readonly events: AsyncIterable<unknown>;
      readonly output: v.GenericSchema;
      /** Aborted when nobody listens any more. */
      readonly listening: AbortController;
      /** Whether the session still opens it. */
      readonly stillIn: () => Promise<boolean>;
    },
  ) => FastifyReply;
  /** Ends those that are open. */
  readonly close: () => void;
}

/** @param everyMs how often a sign of life is sent and the session is checked */
export function createEventStreams(everyMs: number = signOfLifeMs): EventStreams {
  const open = new Map<AbortController, string>();
  return {
    answer: (reply, { operatorId, events, output, listening, stillIn }) => {
      const theirs = [...open.values()].filter((of) => of === operatorId);
      if (theirs.length >= mostAtOnce) return answerRefusal(reply, refuse("tooMany"));
      const body = new PassThrough();
      const write = (text: string) => {
        if (!listening.signal.aborted && body.writable) body.write(text);
      };
      const life = setInterval(() => {
        stillIn().then(
          (still) => (still ? write(":\n\n") : listening.abort()),
          () => listening.abort(),
        );
      }, everyMs);
      const end = () => {
        clearInterval(life);
        open.delete(listening);
        body.end();
      };
      open.set(listening, operatorId);
      listening.signal.addEventListener("abort", end, { once: true });
      body.once("close", () => listening.abort());
      void (async () => {
        try {
          for await (const event of events) {
            if (listening.signal.aborted) break;
            write(`data: ${JSON.stringify(v.parse(output, event))}\n\n`);
          }
        } catch (err) {
          if (!listening.signal.aborted) reply.log.error({ err }, "A stream of the studio failed");
        }
        listening.abort();
      })();
      return (
        reply
          .header("content-type", "text/event-stream; charset=utf-8")
          .header("cache-control", "no-store")
          // Proxies that gather an answer would hold it back.
          .header("x-accel-buffering", "no")
          .send(body)
      );
    },
    close: () => {
      for (const listening of open.keys()) listening.abort();
    },
  };
}
