/** Whom a valid access token speaks for. */
export interface Actor {
  readonly accountUuid: string;
  /** The refresh family that the token came from. */
  readonly sessionId: string;
}

/** What a call knows of its caller, by the `auth` of its row. */
export interface ActorByAuth {
  readonly none: null;
  readonly optional: Actor | null;
  readonly bearer: Actor;
  readonly signature: null;
}
