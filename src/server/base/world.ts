/** Time and chance: what a test decides instead. */
export interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  readonly randomBytes: (size: number) => Buffer;
  /** Lets so many milliseconds pass. */
  readonly wait: (ms: number) => Promise<unknown>;
}
