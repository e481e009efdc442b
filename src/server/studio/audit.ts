/** The audit of operators' actions. Rows are append-only and written in the same transaction as the action. */
import type { World } from "../base/world.ts";
import { noteLine } from "../store/auditLines.ts";
import type { Queries } from "../store/schema.ts";
import type { Operator } from "./handler.ts";

export interface Action {
  /** Null for the command line. */
  readonly operator: Pick<Operator, "id" | "name"> | null;
  /** The action in the past tense: "order refunded". */
  readonly action: string;
  /** The object: "order 123", "operator Ines Roth". Never a visitor's address. */
  readonly subject: string;
  /** The visitor's account, if any. Erasing the account empties it. */
  readonly accountUuid?: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

/** Adds a row within the caller's write. */
export async function recordAction(queries: Queries, world: World, action: Action): Promise<void> {
  const json = (values: Action["before"]) => (values === undefined ? null : JSON.stringify(values));
  const [id, at] = [world.uuid(), world.now()];
  await queries
    .insertInto("operator_audit")
    .values({
      id,
      at,
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
  noteLine(queries, { id, at, action: action.action, operator: action.operator?.id ?? null, account: action.accountUuid ?? null });
}
