/** Work in rounds: woken, it looks what is due; woken meanwhile, it looks once more. Never two rounds at a time. */
export interface Rounds {
  readonly wake: () => void;
  /** Looks now and every `everyMs`. */
  readonly start: (everyMs: number, look?: () => void) => void;
  /** The round that runs, if one does. */
  readonly running: () => Promise<void> | null;
  /** Whether no more is to be begun. */
  readonly stopped: () => boolean;
  /** Waits for the round that runs; none follows. */
  readonly stop: () => Promise<void>;
}

/** @param failed told what a round threw; the next one comes all the same */
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
