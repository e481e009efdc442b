/** An operator's own account: name and role, sessions, passkeys. */
import type { operatorsCalls } from "#studio/contract/operators.ts";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { refuse } from "../../base/refusal.ts";
import type { World } from "../../base/world.ts";
import { queueMail } from "../../mail/outbox.ts";
import type { Queries } from "../../store/schema.ts";
import { recordAction } from "../audit.ts";
import type { Operator, StudioHandlers } from "../handler.ts";
import { offerPasskey, passkeyMade } from "./passkeys.ts";
import { endSessions, openSessions } from "./sessions.ts";

type Calls = typeof operatorsCalls;
type Access = Pick<Calls, "me" | "signOut" | "myAccess" | "mySessionEnd" | "passkeyOffered" | "passkeyAdd" | "passkeyRemove">;

/**
 * Mails the operator about a change of passkeys, within its write. The change may have been made by somebody at the operator's browser or with access
 * to their mailbox.
 */
const mailPasskeyChange = (
  queries: Queries,
  world: World,
  { email }: Operator,
  what: { readonly done: "added" | "removed"; readonly name: string; readonly browser: string },
): Promise<void> =>
  queueMail(queries, world, {
    accountUuid: null,
    template: "operatorPasskey",
    locale: "en-US",
    recipient: email,
    data: { ...what, at: world.now() },
  });

export const accessHandlers: StudioHandlers<Access> = {
  me: async ({ operator }, { settings, store, world }) => {
    const row = await store.read
      .selectFrom("operator_passkeys")
      .select((q) => q.fn.countAll().as("n"))
      .where("operator_id", "=", operator.id)
      .executeTakeFirst();
    const admins = await store.read
      .selectFrom("operators")
      .select("name")
      .where("role", "=", "admin")
      .where("removed_at", "is", null)
      .orderBy("name")
      .execute();
    return {
      operator,
      host: new URL(settings.publicUrl).host,
      live: settings.production,
      exampleData: settings.exampleData,
      now: world.now(),
      passkeys: Number(row?.n ?? 0),
      admins: admins.map(({ name }) => name),
    };
  },

  signOut: async ({ operator, browserSession }, { store, world }) => {
    const { sessionId } = browserSession;
    if (sessionId !== null) await store.write((queries) => endSessions(queries, world, operator.id, { id: sessionId }));
    browserSession.clearSession();
    return {};
  },

  myAccess: async ({ operator, browserSession }, { store, world }) => {
    const sessions = await openSessions(store.read, world, operator.id);
    const passkeys = await store.read
      .selectFrom("operator_passkeys")
      .select(["id", "name", "created_at as createdAt", "used_at as usedAt"])
      .where("operator_id", "=", operator.id)
      .orderBy("created_at")
      .execute();
    return {
      sessions: sessions.map((row) => ({
        id: row.id,
        enteredBy: row.entered_by,
        browser: row.browser,
        network: row.network,
        startedAt: row.started_at,
        seenAt: row.seen_at,
        isThis: row.id === browserSession.sessionId,
      })),
      passkeys,
    };
  },

  mySessionEnd: async ({ operator, input }, { store, world }) => {
    const ended = await store.write((queries) => endSessions(queries, world, operator.id, { id: input.id }));
    return ended === 0 ? refuse("notFound") : {};
  },

  passkeyOffered: ({ operator }, { store, world, settings }) => offerPasskey({ store, world, publicUrl: settings.publicUrl }, operator),

  passkeyAdd: async ({ operator, input, browserSession }, { store, world, settings, mail }) => {
    const made = await passkeyMade({ store, world, publicUrl: settings.publicUrl }, operator, {
      challenge: input.challenge,
      // The library validates every field.
      credential: input.credential as unknown as RegistrationResponseJSON,
    });
    if (made === null) return refuse("invalidLink");
    const isAdded = await store.write(async (queries) => {
      const { numInsertedOrUpdatedRows: added } = await queries
        .insertInto("operator_passkeys")
        .values({ ...made, operator_id: operator.id, name: input.name, created_at: world.now(), used_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added === 0n) return false;
      await recordAction(queries, world, {
        operator,
        action: "passkey added",
        subject: `operator ${operator.name}`,
        after: { name: input.name },
      });
      await mailPasskeyChange(queries, world, operator, { done: "added", name: input.name, browser: browserSession.browser });
      return true;
    });
    mail.wake();
    // Not added: another passkey already has this id.
    return isAdded ? {} : refuse("invalidLink");
  },

  passkeyRemove: async ({ operator, input, browserSession }, { store, world, mail }) => {
    const answer = await store.write(async (queries) => {
      const row = await queries
        .deleteFrom("operator_passkeys")
        .where("id", "=", input.id)
        .where("operator_id", "=", operator.id)
        .returning("name")
        .executeTakeFirst();
      if (row === undefined) return refuse("notFound");
      await recordAction(queries, world, {
        operator,
        action: "passkey removed",
        subject: `operator ${operator.name}`,
        before: { name: row.name },
      });
      await mailPasskeyChange(queries, world, operator, { done: "removed", name: row.name, browser: browserSession.browser });
      return {};
    });
    mail.wake();
    return answer;
  },
};
