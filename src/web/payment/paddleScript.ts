/** Loads Paddle Billing's script on demand. */
import type { Paddle, PaddleEventData } from "@paddle/paddle-js";
import type { ClientConfig } from "../clientConfig.ts";
import { loadScript } from "./script.ts";

export type PaddleLoader = (config: ClientConfig["paddle"], onEvent: (event: PaddleEventData) => void) => Promise<Pick<Paddle, "Checkout">>;

/**
 * Adds Paddle's script itself, because Paddle's loader remembers a failure until the page reloads and waits forever for a blocked script.
 * Paddle's loader adds no script if the global exists. Rejects if the script does not load in time.
 */
export const loadPaddle: PaddleLoader = async (config, onEvent) => {
  listener = onEvent;
  // Paddle's package loads together with its script, not with the plans.
  const [{ initializePaddle }] = await Promise.all([
    import("@paddle/paddle-js"),
    loadScript(config.script, () => "PaddleBillingV1" in window),
  ]);
  const paddle = await initializePaddle({
    token: config.token,
    environment: config.environment,
    eventCallback: (event) => listener(event),
  });
  if (paddle === undefined) throw new Error("Paddle did not start");
  return paddle;
};

/** Paddle is set up once per page, but the listener may change. */
let listener: (event: PaddleEventData) => void = () => {};
