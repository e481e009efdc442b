/** Polls for due work, one round at a time. A wake during a round starts another round after it. */
export interface Rounds {
  readonly wake: () => void;
  /** Starts a round now and every `everyMs`. */
  readonly start: (everyMs: number, look?: () => void) => void;
  /** The current round, or null. */
  readonly running: () => Promise<void> | null;
  /** Whether no further round may start. */
  readonly stopped: () => boolean;
  /** Waits for the current round; no other starts. */
  readonly stop: () => Promise<void>;
}

/** @param failed receives the error of a round; later rounds still run */
export function createRounds(round: () => Promise<void>, failed: (error: unknown) => void): Rounds {
  const state: { stopped: boolean; again: boolean; running: Promise<void> | null } = { stopped: false, again: false, running: null };
  let timer: NodeJS.Timeout | null = null;

  const run = async () => {
    while (state.again && !state.stopped) {
      state.again = false;
      await round().catch(failed);
    }
    state.running = null;
  };
  const wake = () => {
    if (state.stopped) return;
    state.again = true;
    state.running ??= run();
  };
  return {
    wake,
    start: (everyMs, look = wake) => {
      timer = setInterval(look, everyMs).unref();
      look();
    },
    running: () => state.running,
    stopped: () => state.stopped,
    stop: async () => {
      state.stopped = true;
      if (timer !== null) clearInterval(timer);
      await state.running;
    },
  };
}
