import { isHeldBack } from "../accounts/emailChanges.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Whether an address is free. The call reveals this by design, which is why it is rate-limited. */
export const checkEmail: Handler<"checkEmail"> = async ({ body: { email } }, { store, world }) => {
  const taken = await store.read.selectFrom("accounts").select("uuid").where("email", "=", email).executeTakeFirst();
  return taken || (await isHeldBack(store.read, world, email, "")) ? refuse("emailTaken") : { available: true };
};
