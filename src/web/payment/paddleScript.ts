/** Paddle's script, loaded when it is needed and not before. */
import type { Paddle, PaddleEventData } from "@paddle/paddle-js";
import type { ClientConfig } from "../clientConfig.ts";
import { loadScript } from "./script.ts";

export type PaddleLoader = (config: ClientConfig["paddle"], onEvent: (event: PaddleEventData) => void) => Promise<Pick<Paddle, "Checkout">>;

/**
 * We add the script ourselves: Paddle's own loader caches a failure until the page reloads and waits for ever on a script that
 * was blocked. With the global there it adds none. Rejects when the script does not come in time.
 */
export const loadPaddle: PaddleLoader = async (config, onEvent) => {
  listener = onEvent;
  // Paddle's package is fetched with its script, not with the plans.
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

/** Paddle is started once a page; who listens may change. */
let listener: (event: PaddleEventData) => void = () => {};
