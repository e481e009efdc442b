/** Loads Paddle Classic's script on demand. It has no npm package, so the types that we use are declared here. */
import type { ClientConfig } from "../clientConfig.ts";
import { loadScript } from "./script.ts";

export interface ClassicEvent {
  readonly event: string;
  readonly eventData?: { readonly error?: unknown };
}

interface ClassicOpening {
  /** The pay link. */
  readonly override: string;
  readonly method: "inline";
  /** A CSS class. */
  readonly frameTarget: string;
  readonly frameInitialHeight: number;
  readonly frameStyle: string;
  readonly locale: string;
  readonly email?: string;
}

export interface ClassicPaddle {
  readonly Checkout: { readonly open: (opening: ClassicOpening) => void; readonly close: () => void };
}

export type ClassicLoader = (
  config: NonNullable<ClientConfig["paddleClassic"]>,
  onEvent: (event: ClassicEvent) => void,
) => Promise<ClassicPaddle>;

interface ClassicGlobal extends ClassicPaddle {
  readonly Setup: (options: { readonly vendor: number; readonly eventCallback: (event: ClassicEvent) => void }) => void;
  readonly Environment?: { readonly set: (environment: string) => void };
}

/** Paddle Billing's script sets the same global, without `Setup`. */
const isClassic = (value: unknown): value is ClassicGlobal =>
  typeof value === "object" && value !== null && "Setup" in value && "Checkout" in value;
const found = (): unknown => Reflect.get(window, "Paddle");

/** Paddle is set up once per page, but the listener may change. */
let listener: (event: ClassicEvent) => void = () => {};
let started = false;

export const loadClassic: ClassicLoader = async (config, onEvent) => {
  listener = onEvent;
  await loadScript(config.script, () => isClassic(found()));
  const paddle = found();
  if (!isClassic(paddle)) throw new Error("Paddle did not start");
  if (!started) {
    if (config.environment === "sandbox") paddle.Environment?.set("sandbox");
    paddle.Setup({ vendor: config.vendor, eventCallback: (event) => listener(event) });
    started = true;
  }
  return paddle;
};
