/** The account and session behind a valid access token. */
export interface Actor {
  readonly accountUuid: string;
  /** The refresh-token family that issued the token. */
  readonly sessionId: string;
}

/** What a call knows about its caller, by the `auth` of its row in the contract. */
export interface ActorByAuth {
  readonly none: null;
  readonly optional: Actor | null;
  readonly bearer: Actor;
  readonly signature: null;
}
