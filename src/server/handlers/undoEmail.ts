import { undoChange } from "../accounts/emailChanges.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { isUniqueViolation } from "../store/store.ts";

/** Restores an account's earlier address, by the link that was mailed to it, once. */
export const undoEmail: Handler<"undoEmail"> = async ({ body }, services) => {
  const { store, mail } = services;
  try {
    const email = await store.write((queries) => undoChange(queries, services, body.token));
    if (email === null) return refuse("invalidLink");
    mail.wake();
    return { email };
  } catch (error) {
    if (isUniqueViolation(error)) return refuse("emailTaken");
    throw error;
  }
};
