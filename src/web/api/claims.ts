/** Reads the claims of an access token. Only the server verifies them. */
import * as v from "valibot";

const claimsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    /** The account's uuid. */
    sub: v.optional(v.string()),
    /** The session, the same after each refresh. */
    sid: v.optional(v.string()),
    /** When it was issued and when it expires, seconds since 1970. */
    iat: v.optional(v.number()),
    exp: v.optional(v.number()),
  }),
);
export type Claims = v.InferOutput<typeof claimsSchema>;

/** Null if there is no token or it cannot be read. */
export function claimsOf(token: string | null): Claims | null {
  const payload = token?.split(".")[1];
  if (payload === undefined) return null;
  try {
    const claims = v.safeParse(claimsSchema, atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return claims.success ? claims.output : null;
  } catch {
    // Not base64.
    return null;
  }
}

/** The token's session; null without a token. A call of a session that is over may get no result (decision 035). */
export const sessionOf = (token: string | null): string | null => (token === null ? null : (claimsOf(token)?.sid ?? ""));

/** The uuid of the token's account. */
export const accountOf = (token: string | null): string | null => claimsOf(token)?.sub ?? null;
