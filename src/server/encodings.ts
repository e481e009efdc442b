/** How answers that are kept compressed are compressed, in our order of preference. */
import { Negotiator } from "@fastify/accept-negotiator";
import { LRUCache } from "lru-cache";

/** The few values of the header that browsers send are parsed once. */
export const encodings = new Negotiator({ supportedValues: ["br", "gzip", "identity"], cache: new LRUCache<string, string>({ max: 100 }) });
