import { type Handler, refuse } from "../handler.ts";

/** Says whether an address is free; that it tells is by design, and the reason why it is limited. */
export const checkEmail: Handler<"checkEmail"> = async ({ body }, { store }) => {
  const taken = await store.read.selectFrom("accounts").select("uuid").where("email", "=", body.email).executeTakeFirst();
  return taken ? refuse(1101) : { available: true };
};
