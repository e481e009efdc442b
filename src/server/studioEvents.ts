/** Server-sent events. A stream has keep-alive messages and ends when the client leaves, the session ends, or the process shuts down. */
import type { FastifyReply } from "fastify";
import { PassThrough } from "node:stream";
import * as v from "valibot";
import { refuse } from "./base/refusal.ts";
import { answerRefusal } from "./failures.ts";

/** Proxies close a connection that is silent for a minute. */
const signOfLifeMs = 20_000;
/**
 * The most streams of one operator per process. A further one is refused. Closing an older one instead would make its page reconnect and close the
 * next.
 */
const mostAtOnce = 10;

export interface EventStreams {
  readonly answer: (
    reply: FastifyReply,
    stream: {
      readonly operatorId: string;
      readonly events: AsyncIterable<unknown>;
      readonly output: v.GenericSchema;
      /** Aborted when the client leaves. */
      readonly listening: AbortController;
      /** Whether the session is still valid. */
      readonly stillIn: () => Promise<boolean>;
    },
  ) => FastifyReply;
  /** Ends all open streams. */
  readonly close: () => void;
}

/** @param everyMs the interval of keep-alive messages and session checks */
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
          // Some proxies would buffer the stream.
          .header("x-accel-buffering", "no")
          .send(body)
      );
    },
    close: () => {
      for (const listening of open.keys()) listening.abort();
    },
  };
}
