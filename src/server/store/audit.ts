/** The audit: what was done to an account or found in its payments, for operators. It never holds an address, a token or a password. */
import type { World } from "../base/world.ts";
import { noteLine } from "./auditLines.ts";
import type { Queries } from "./schema.ts";

export type AuditKind =
  | "refresh token reused"
  | "address proven by another device"
  | "password reset"
  | "email change asked"
  | "email changed"
  | "email change undone"
  | "account exported"
  | "account erased"
  | "payment-mismatch";

/** Adds a line within the caller's write. `accountUuid` is null when the account is gone. */
export async function record(
  queries: Queries,
  world: World,
  accountUuid: string | null,
  kind: AuditKind,
  data: Readonly<Record<string, string>> = {},
): Promise<void> {
  const [id, at] = [world.uuid(), world.now()];
  await queries
    .insertInto("audit")
    .values({ id, at, account_uuid: accountUuid, kind, data: JSON.stringify(data) })
    .execute();
  noteLine(queries, { id, at, action: kind, account: accountUuid });
}
