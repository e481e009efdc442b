/** The modes of the stand-in's service. The developer page and tests switch between them. */

export const modes = {
  ok: "answers at once",
  slow: "answers after 30 seconds, or when this is switched",
  broken: "answers 503",
  "3ds": "the bank asks for a confirmation of every card",
  noscript: "its script does not come",
} as const;
export type StandinMode = keyof typeof modes;
export const isMode = (value: string): value is StandinMode => Object.hasOwn(modes, value);
const slowMs = 30_000;

/** What the APIs need to know of the mode. */
export interface Health {
  readonly mode: () => "ok" | "slow" | "broken";
  /** Resolves when a slow service answers. */
  readonly slow: () => Promise<void>;
}

export interface ModeSwitch {
  readonly mode: () => StandinMode;
  readonly setMode: (mode: StandinMode) => void;
  readonly health: Health;
}

export function createModeSwitch(): ModeSwitch {
  let mode: StandinMode = "ok";
  let slowEnds = Promise.withResolvers<void>();
  return {
    mode: () => mode,
    setMode: (next) => {
      mode = next;
      slowEnds.resolve();
      slowEnds = Promise.withResolvers();
    },
    health: {
      mode: () => (mode === "slow" || mode === "broken" ? mode : "ok"),
      slow: async () => {
        const { promise } = slowEnds;
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, slowMs).unref()));
        await Promise.race([promise, late]);
        clearTimeout(timer);
      },
    },
  };
}
