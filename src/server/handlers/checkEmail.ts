import { isHeldBack } from "../accounts/emailChanges.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Says whether an address is free; that it tells is by design, and the reason why it is limited. */
export const checkEmail: Handler<"checkEmail"> = async ({ body: { email } }, { store, world }) => {
  const taken = await store.read.selectFrom("accounts").select("uuid").where("email", "=", email).executeTakeFirst();
  return taken || (await isHeldBack(store.read, world, email, "")) ? refuse("emailTaken") : { available: true };
};
