import type { BodyInput } from "#core/api.ts";

export type Notice = BodyInput<"contractNotice">;
export type Kind = Notice["kind"];

export const routeOf = <K extends Kind>(kind: K) => `contract/${kind}` as const;

/** A received statement and its time. */
export interface Sent {
  readonly notice: Notice;
  /** ISO 8601. */
  readonly at: string;
}
