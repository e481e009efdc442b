/** Calls of admins: operators and the audit. */
import type { CodeOf } from "#core/errors.ts";
import type { operatorsCalls } from "#studio/contract/operators.ts";
import * as v from "valibot";
import { Refusal, refuse } from "../../base/refusal.ts";
import type { World } from "../../base/world.ts";
import type { Services } from "../../handlers/shared/services.ts";
import type { Queries } from "../../store/schema.ts";
import { recordAction } from "../audit.ts";
import type { Operator, StudioHandlers } from "../handler.ts";
import { addOperator, changeRole, endAccess, inviteByMail, operatorByAddress, operatorById } from "./operators.ts";
import { endSessions, isRole, longestIdle, longestSession } from "./sessions.ts";

type Calls = typeof operatorsCalls;
type Staff = Pick<Calls, "operators" | "operatorInvite" | "operatorChange" | "operatorRemove" | "operatorSessionsEnd" | "audit">;

const day = 24 * 60 * 60 * 1_000;
const values = v.nullable(v.pipe(v.string(), v.parseJson()));

/** Changes another operator. Nobody can change themselves, so an installation always keeps an admin. */
async function toAnother<T>(
  { store }: Services,
  by: Operator,
  id: string,
  work: (queries: Queries, other: Operator) => Promise<T>,
): Promise<T | Refusal<CodeOf<"forbidden" | "notFound">>> {
  if (id === by.id) return refuse("forbidden");
  return store.write(async (queries) => {
    // Locks both rows. When two admins remove each other, the second waits here and is refused below.
    for (const one of [by.id, id].toSorted())
      await queries
        .updateTable("operators")
        .set(({ ref }) => ({ role: ref("role") }))
        .where("id", "=", one)
        .execute();
    if ((await operatorById(queries, by.id))?.role !== by.role) return refuse("forbidden");
    const other = await operatorById(queries, id);
    return other === null ? refuse("notFound") : work(queries, other);
  });
}

async function listOf(queries: Queries, world: World) {
  const now = world.now();
  const rows = await queries
    .selectFrom("operators")
    .select(({ selectFrom, fn }) => [
      "operators.id",
      "address as email",
      "name",
      "role",
      "created_at as createdAt",
      selectFrom("operator_sessions")
        .select((q) => q.fn.max("seen_at").as("at"))
        .whereRef("operator_id", "=", "operators.id")
        .as("seenAt"),
      selectFrom("operator_sessions")
        .select(fn.countAll().as("n"))
        .whereRef("operator_id", "=", "operators.id")
        .where("ended_at", "is", null)
        .where("seen_at", ">", now - longestIdle)
        .where("started_at", ">", now - longestSession)
        .as("sessions"),
      selectFrom("operator_passkeys").select(fn.countAll().as("n")).whereRef("operator_id", "=", "operators.id").as("passkeys"),
      selectFrom("operator_links")
        .select((q) => q.fn.max("expires_at").as("at"))
        .whereRef("operator_id", "=", "operators.id")
        .where("purpose", "=", "invitation")
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .as("invitedUntil"),
    ])
    .where("removed_at", "is", null)
    .orderBy("name")
    .execute();
  const time = (at: unknown) => (at === null ? null : Number(at));
  return rows.flatMap(({ role, ...row }) =>
    isRole(role)
      ? [
          {
            ...row,
            role,
            seenAt: time(row.seenAt),
            sessions: Number(row.sessions),
            passkeys: Number(row.passkeys),
            invitedUntil: time(row.invitedUntil),
          },
        ]
      : [],
  );
}

export const staffHandlers: StudioHandlers<Staff> = {
  operators: (_call, { store, world }) => listOf(store.read, world),

  operatorInvite: async ({ operator: by, input }, { store, world, settings, mail }) => {
    const refused = await store.write(async (queries) => {
      const known = await operatorByAddress(queries, input.email);
      // An existing operator is changed, not invited again.
      if (known !== null && (known.role !== input.role || known.name !== input.name)) return refuse("emailTaken");
      const operator = known ?? (await addOperator(queries, world, input, by));
      await inviteByMail(queries, world, settings.secretKeys, operator, by);
      return null;
    });
    mail.wake();
    return refused ?? {};
  },

  operatorChange: ({ operator: by, input }, services) =>
    toAnother(services, by, input.id, async (queries, other) => {
      await changeRole(queries, services.world, { operator: other, role: input.role, reason: input.reason, by });
      return {};
    }),

  operatorRemove: ({ operator: by, input }, services) =>
    toAnother(services, by, input.id, async (queries, other) => {
      const { world } = services;
      await queries.updateTable("operators").set({ removed_at: world.now() }).where("id", "=", other.id).execute();
      await endAccess(queries, world, other.id);
      await recordAction(queries, world, {
        operator: by,
        action: "operator removed",
        subject: `operator ${other.name}`,
        before: { email: other.email, role: other.role },
        reason: input.reason,
      });
      return {};
    }),

  operatorSessionsEnd: async ({ operator: by, input }, { store, world }) =>
    store.write(async (queries) => {
      const other = await operatorById(queries, input.id);
      if (other === null) return refuse("notFound");
      const ended = await endSessions(queries, world, other.id);
      await recordAction(queries, world, {
        operator: by,
        action: "sessions ended",
        subject: `operator ${other.name}`,
        before: { sessions: ended },
        reason: input.reason,
      });
      return {};
    }),

  audit: async ({ input }, { store }) => {
    let query = store.read.selectFrom("operator_audit").selectAll().orderBy("at", "desc").orderBy("id", "desc").limit(input.limit);
    if (input.operator !== undefined) query = query.where("operator_name", "=", input.operator);
    if (input.action !== undefined) query = query.where("action", "=", input.action);
    if (input.subject !== undefined) query = query.where("subject", "like", `%${input.subject.replaceAll(/[%_]/g, "")}%`);
    if (input.from !== undefined) query = query.where("at", ">=", Date.parse(input.from));
    if (input.to !== undefined) query = query.where("at", "<", Date.parse(input.to) + day);
    if (input.after !== undefined) {
      const [at, id = ""] = input.after.split(".");
      query = query.where((q) => q.or([q("at", "<", Number(at)), q.and([q("at", "=", Number(at)), q("id", "<", id)])]));
    }
    const rows = await query.execute();
    const actions = await store.read.selectFrom("operator_audit").select("action").distinct().orderBy("action").execute();
    const last = rows.length === input.limit ? rows.at(-1) : undefined;
    return {
      rows: rows.map((row) => ({
        id: row.id,
        at: row.at,
        operator: row.operator_name,
        action: row.action,
        subject: row.subject,
        person: row.account_uuid,
        before: v.parse(values, row.before_values),
        after: v.parse(values, row.after_values),
        reason: row.reason,
      })),
      actions: actions.map(({ action }) => action),
      next: last === undefined ? null : `${last.at}.${last.id}`,
    };
  },
};
