/** The table of operators. */
import type { Role } from "#studio/contract/call.ts";
import type { World } from "../../base/world.ts";
import type { Queries } from "../../store/schema.ts";
import { recordAction } from "../audit.ts";
import type { Operator } from "../handler.ts";
import { createOperatorLink, mailOperatorLink } from "./links.ts";
import { endSessions, isRole } from "./sessions.ts";

type By = Pick<Operator, "id" | "name"> | null;

async function operatorWhere(queries: Queries, column: "id" | "address", value: string): Promise<Operator | null> {
  const row = await queries
    .selectFrom("operators")
    .select(["id", "address as email", "name", "role"])
    .where(column, "=", value)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row === undefined || !isRole(row.role) ? null : { ...row, role: row.role };
}
export const operatorById = (queries: Queries, id: string) => operatorWhere(queries, "id", id);
export const operatorByAddress = (queries: Queries, address: string) => operatorWhere(queries, "address", address);

export async function hasOperators(queries: Queries): Promise<boolean> {
  const row = await queries.selectFrom("operators").select("id").where("removed_at", "is", null).executeTakeFirst();
  return row !== undefined;
}

/** Ends an operator's sessions, passkeys and links within the caller's write. */
export async function endAccess(queries: Queries, world: World, operatorId: string): Promise<void> {
  await endSessions(queries, world, operatorId);
  await queries.deleteFrom("operator_passkeys").where("operator_id", "=", operatorId).execute();
  await queries
    .updateTable("operator_links")
    .set({ used_at: world.now() })
    .where("operator_id", "=", operatorId)
    .where("used_at", "is", null)
    .execute();
}

/**
 * Adds an operator within the caller's write, or restores a removed one. What somebody began before their removal, such as adding a passkey, may have
 * been stored after it, and must not open the studio again.
 */
export async function addOperator(
  queries: Queries,
  world: World,
  operator: { readonly email: string; readonly name: string; readonly role: Role },
  by: By,
): Promise<Operator> {
  const id = world.uuid();
  const { email, name, role } = operator;
  const removed = await queries
    .selectFrom("operators")
    .select("id")
    .where("address", "=", email)
    .where("removed_at", "is not", null)
    .executeTakeFirst();
  if (removed !== undefined) await endAccess(queries, world, removed.id);
  const row = await queries
    .insertInto("operators")
    .values({ id, address: email, name, role, created_at: world.now(), removed_at: null })
    .onConflict((conflict) => conflict.column("address").doUpdateSet({ name, role, removed_at: null }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordAction(queries, world, { operator: by, action: "operator invited", subject: `operator ${name}`, after: { email, role } });
  return { id: row.id, email, name, role };
}

/** Changes an operator's role within the caller's write. */
export async function changeRole(
  queries: Queries,
  world: World,
  { operator, role, reason, by }: { readonly operator: Operator; readonly role: Role; readonly reason?: string; readonly by: By },
): Promise<void> {
  await queries.updateTable("operators").set({ role }).where("id", "=", operator.id).execute();
  await recordAction(queries, world, {
    operator: by,
    action: "role changed",
    subject: `operator ${operator.name}`,
    before: { role: operator.role },
    after: { role },
    ...(reason !== undefined && { reason }),
  });
}

/** Creates and mails an invitation within the caller's write; returns the link's token. */
export async function inviteByMail(
  queries: Queries,
  world: World,
  secrets: readonly string[],
  { id, email }: Operator,
  by: By,
): Promise<string> {
  const link = await createOperatorLink(queries, world, secrets, { purpose: "invitation", operatorId: id });
  await mailOperatorLink(queries, world, { linkId: link.id, purpose: "invitation", recipient: email, invitedBy: by?.name ?? null });
  return link.token;
}
