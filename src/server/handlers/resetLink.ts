import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Checks a mailed token without using it up. The password is chosen with it afterwards. */
export const resetLink: Handler<"resetLink"> = async ({ body }, { store, accounts: { links } }) => {
  const email = (await links.ownerOf(store.read, "reset", body.token))?.email ?? null;
  return email === null ? refuse("invalidLink") : { email };
};
