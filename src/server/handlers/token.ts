import { record } from "../accounts/audit.ts";
import { type Handler, refuse } from "../handler.ts";

/**
 * A link's token, or the code beside it, for a session; once. Whoever holds it reads the account's mailbox: that confirms
 * the address, and ends the password and the sessions of somebody who had signed up with it before.
 */
export const token: Handler<"token"> = async ({ body }, { store, world, accounts: { links, sessions, describe } }) => {
  const pair = await store.write(async (queries) => {
    const owner = "token" in body ? await links.use(queries, "login", body.token) : await links.useCode(queries, body.email, body.code);
    if (!owner) return null;
    const { accountUuid } = owner;
    const now = world.now();
    const unconfirmed = await queries
      .updateTable("accounts")
      .set({ email_confirmed_at: now, password_hash: null, updated_at: now })
      .where("uuid", "=", accountUuid)
      .where("email_confirmed_at", "is", null)
      .executeTakeFirst();
    if (unconfirmed.numUpdatedRows > 0n) {
      await sessions.endAll(queries, accountUuid, "unconfirmed");
      await record(queries, world, accountUuid, "unconfirmed account entered by link");
    }
    return sessions.start(queries, accountUuid, "link");
  });
  return (pair && (await describe(pair))) ?? refuse(1004);
};
