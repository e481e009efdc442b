/** Limits what a network sends, and parses it. Webhooks have no such limit: payments must arrive, and their check is cheap. */
import { maxBodyBytes } from "#core/api.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createFairQueue } from "./accounts/fairQueue.ts";
import { answerRefusal } from "./failures.ts";
import type { Limits } from "./base/limits.ts";
import { refuse } from "./base/refusal.ts";
import { networkOf, siteOf } from "./base/visitor.ts";

const kilobyte = 1_024;
/** Names take longer to parse than other text: 26,000 in 255 kB took 35 ms. Twenty count as a kilobyte. Real bodies stay below the limit. */
const namesPerKilobyte = 20;

/** No page sends more names. Bodies with more are parsed one at a time: fifty a second, from as many networks, kept the process from everything else. */
const namesAtOnce = 3_000;
/** Bodies that wait for their turn, 16 MB. One more is refused, unless another network has more of them waiting. */
const mostWaiting = 64;

/** Parsing a body of this size takes less than a millisecond, whatever is in it. Sign-ups, logins, most saves and orders are smaller, bytes. */
const smallBody = 4 * kilobyte;

/** A word in JSON, with each letter as itself or escaped. */
const spelled = (word: string) => [...word].map((letter) => `(?:${letter}|\\\\u00${letter.charCodeAt(0).toString(16)})`).join("");
/** The keys that lead to an object's prototype. No call has them. A value that quotes such a key does not match: its quotation marks have backslashes. */
const prototypeKey = new RegExp(`"(?:${spelled("__proto__")}|${spelled("constructor")})"\\s*:`, "i");

/** The size that a request announces; for one sent in chunks, the largest that is read. */
function announcedBytes({ "content-length": length, "transfer-encoding": encoding }: NodeJS.Dict<string | string[]>): number {
  if (encoding !== undefined) return maxBodyBytes;
  return Math.min(Number(length ?? 0), maxBodyBytes);
}

function countOf(sign: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** The value of a JSON text, with or without a byte order mark; undefined if it is malformed or names a prototype. */
function parsed(text: string): unknown {
  if (prototypeKey.test(text)) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** Parses one text at a time and lets all other waiting work run first; networks take turns. Null when too many wait. */
function createParser(): (group: string, text: string) => Promise<{ readonly value: unknown } | null> {
  const line = createFairQueue(mostWaiting, 1);
  let parsing = false;
  return async (group, text) => {
    if (parsing && !(await line.wait(group, 0))) return null;
    parsing = true;
    await new Promise((resolve) => setImmediate(resolve));
    const value = parsed(text);
    parsing = line.next();
    return { value };
  };
}

export function limitBodies(app: FastifyInstance, limits: Limits): void {
  const groupOf = (ip: string) => siteOf(networkOf(ip));
  const take = (ip: string, kilobytes: number) => limits.take("bodies.network", groupOf(ip), kilobytes);
  const parseInTurn = createParser();
  const small = new WeakSet<FastifyRequest>();

  app.addHook("onRequest", async (request, reply) => {
    const { headers, ip } = request;
    const bytes = announcedBytes(headers);
    if (bytes === 0) return;
    const tooMany = await take(ip, Math.ceil(bytes / kilobyte));
    if (tooMany === null) return;
    if (bytes > smallBody || (await limits.take("small-bodies.network", groupOf(ip)))) await answerRefusal(reply, tooMany);
    else small.add(request);
  });
  // Fastify's own parser walks through the whole body when it sees a prototype's key: that took 50 ms instead of 2.
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addHook("preValidation", async (request, reply) => {
    const { body: text, headers, ip } = request;
    if (typeof text !== "string") return;
    const names = countOf(":", text);
    const more = Math.ceil(names / namesPerKilobyte) - Math.ceil(announcedBytes(headers) / kilobyte);
    const tooMany = more > 0 && !small.has(request) ? await take(ip, more) : null;
    if (tooMany) return answerRefusal(reply, tooMany);
    const read = names > namesAtOnce ? await parseInTurn(groupOf(ip), text) : { value: parsed(text) };
    if (read === null) return answerRefusal(reply, refuse("notReady"));
    request.body = read.value;
    if (request.body === undefined) return answerRefusal(reply, refuse("malformed"));
  });
}
