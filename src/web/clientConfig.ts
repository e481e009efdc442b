/** What an operator configures and the browser has to know. Everything here is public. */
import { brand } from "#content/brand.ts";
import type { OutsideConfig } from "#core/outside.ts";

type PaddleEnvironment = "production" | "sandbox";

export interface ClientConfig {
  readonly brand: string;
  /** `https://parlando.example`, without a slash at the end. */
  readonly publicUrl: string;
  readonly paddle: {
    readonly token: string;
    readonly environment: PaddleEnvironment;
    /** What sets `window.PaddleBillingV1`: Paddle's own script, or the stand-in's. */
    readonly script: string;
  };
  /** Every back end that calls may go to; a link may name one of them. */
  readonly backends: readonly string[];
  /** Whether the template's example claims show; not in production. */
  readonly examples: boolean;
  /** The learning app's own host (spec 001 §2), without a slash at the end. */
  readonly appUrl: string;
  /** Paddle Classic; null where nothing is sold by it. */
  readonly paddleClassic: { readonly vendor: number; readonly environment: PaddleEnvironment; readonly script: string } | null;
  /** Services of others (`core/outside.ts`, which comes after the page). */
  readonly outside: unknown;
  readonly storeLinks: { readonly android: string | null; readonly apple: string | null };
}

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
