/** The account that a call's own secret opens: a refresh token, or the token of a mailed link. Both are 256 random bits, which nobody guesses. */
import type { Endpoint } from "#core/api.ts";
import type { LinkPurpose } from "./base/linkLife.ts";
import type { Services } from "./handlers/shared/services.ts";

/** The field with the link's token, and what the link may be for. */
const linksIn: Readonly<Partial<Record<Endpoint, { readonly field: string; readonly purposes: readonly LinkPurpose[] }>>> = {
  token: { field: "token", purposes: ["login"] },
  confirmEmail: { field: "confirmToken", purposes: ["confirm", "change"] },
  resetLink: { field: "token", purposes: ["reset"] },
  resetPassword: { field: "token", purposes: ["reset"] },
  undoEmail: { field: "token", purposes: ["undo"] },
  keepSubscription: { field: "token", purposes: ["keep"] },
};
const isToken = (value: unknown): value is string => typeof value === "string" && /^[\w-]{43}$/.test(value);

/** Null when the call has no such secret, or one that opens nothing. Uses nothing up. */
export async function accountOfSecret(key: Endpoint, body: unknown, { store, accounts }: Services): Promise<string | null> {
  if (typeof body !== "object" || body === null) return null;
  const { field, purposes } = linksIn[key] ?? { field: "refreshToken", purposes: [] };
  const token: unknown = Reflect.get(body, field);
  if (!isToken(token)) return null;
  if (key === "refresh") return accounts.sessions.accountOf(token);
  for (const purpose of purposes) {
    const owner = await accounts.links.ownerOf(store.read, purpose, token);
    if (owner !== null) return owner.accountUuid;
  }
  return null;
}
