/** What operators did. Rows are only added; each is written with what it tells of, or not at all. */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Operator } from "./handler.ts";

export interface Action {
  /** Null: the command line. */
  readonly operator: Pick<Operator, "id" | "name"> | null;
  /** What was done, in the past: "order refunded". */
  readonly action: string;
  /** What it was done to: "order 123", "operator Ines Roth". Never an address of a visitor. */
  readonly subject: string;
  /** The visitor's account, if it was done to one: the row loses them when they are erased. */
  readonly accountUuid?: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

/** Adds a row within the caller's write. */
export async function recordAction(queries: Queries, world: World, action: Action): Promise<void> {
  const json = (values: Action["before"]) => (values === undefined ? null : JSON.stringify(values));
  await queries
    .insertInto("operator_audit")
    .values({
      id: world.uuid(),
      at: world.now(),
      operator_id: action.operator?.id ?? null,
      operator_name: action.operator?.name ?? "Command line",
      action: action.action,
      subject: action.subject,
      account_uuid: action.accountUuid ?? null,
      before_values: json(action.before),
      after_values: json(action.after),
      reason: action.reason ?? null,
    })
    .execute();
}
