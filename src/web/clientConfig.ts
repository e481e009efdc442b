/** What an operator configures and the browser has to know. Everything here is public. */
import { brand } from "#content/brand.ts";
import type { OutsideConfig } from "#core/outside.ts";
import * as v from "valibot";

export const clientConfigSchema = v.object({
  brand: v.string(),
  /** `https://parlando.example`, without a slash at the end. */
  publicUrl: v.string(),
  paddle: v.object({
    token: v.string(),
    environment: v.picklist(["production", "sandbox"]),
    /** What sets `window.PaddleBillingV1`: Paddle's own script, or the stand-in's. */
    script: v.string(),
  }),
  /** Every back end that calls may go to; a link may name one of them. */
  backends: v.array(v.string()),
  /** Whether the template's example claims show; not in production. */
  examples: v.boolean(),
  /** The learning app's own host (spec 001 §2), without a slash at the end. */
  appUrl: v.string(),
  /** Paddle Classic; null where nothing is sold by it. */
  paddleClassic: v.nullable(v.object({ vendor: v.number(), environment: v.picklist(["production", "sandbox"]), script: v.string() })),
  /** Services of others (`core/outside.ts`, which comes after the page). */
  outside: v.unknown(),
  storeLinks: v.object({ android: v.nullable(v.string()), apple: v.nullable(v.string()) }),
});
export type ClientConfig = v.InferOutput<typeof clientConfigSchema>;

/** Everything inside, as `npm start` serves it without configuration. */
export const defaultClientConfig: ClientConfig = {
  brand: brand.name,
  publicUrl: "http://localhost:3000",
  paddle: { token: "test_standin00000000000000000", environment: "sandbox", script: "/standins/paddle/paddle.js" },
  paddleClassic: { vendor: 1, environment: "sandbox", script: "/standins/paddle/classic/paddle.js" },
  backends: ["http://localhost:3000/api"],
  examples: true,
  appUrl: "http://localhost:3000/standins/app",
  outside: { tagManager: null, analytics: null, braze: null, chat: null } satisfies OutsideConfig,
  storeLinks: {
    android: "https://play.google.com/store/apps/details?id=example.parlando",
    apple: "https://apps.apple.com/app/id0000000000",
  },
};
