/** The clock and randomness, which tests replace. */
export interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  readonly randomBytes: (size: number) => Buffer;
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}
