/** The operator's configuration for the browser. Everything here is public. */
import { brand } from "#content/brand.ts";
import type { OutsideConfig } from "#core/outside.ts";

type PaddleEnvironment = "production" | "sandbox";

export interface ClientConfig {
  readonly brand: string;
  /** `https://parlando.example`, without a trailing slash. */
  readonly publicUrl: string;
  readonly paddle: {
    readonly token: string;
    readonly environment: PaddleEnvironment;
    /** The script that sets `window.PaddleBillingV1`: Paddle's own or the stand-in's. */
    readonly script: string;
  };
  /** The back ends that the browser may call. A link may choose one of them. */
  readonly backends: readonly string[];
  /** Whether pages show the template's example claims. Never in production. */
  readonly examples: boolean;
  /** The learning app's host (spec 001 §2), without a trailing slash. */
  readonly appUrl: string;
  /** Paddle Classic; null where nothing is sold by it. */
  readonly paddleClassic: { readonly vendor: number; readonly environment: PaddleEnvironment; readonly script: string } | null;
  /** Third-party services. Unchecked: their schema (`core/outside.ts`) loads after the page. */
  readonly outside: unknown;
  readonly storeLinks: { readonly android: string | null; readonly apple: string | null };
}

/** The configuration of `npm start` without environment variables: no third-party service. */
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
