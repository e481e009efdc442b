/** Access tokens: JWTs (HS256), valid for 15 minutes, signed with the current key and verified with every key. */
import { jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import type { Actor } from "../base/actor.ts";
import { keysFor } from "../base/keys.ts";

export const accessTokenSeconds = 15 * 60;
/** Tolerated clock difference between machines. A token issued further in the future dates from before the clock was set back. */
const clockSkewMs = 5 * 60 * 1000;
const issuer = "parlando";
const audience = "parlando-api";
/** The limit on a token's length. Our own tokens are shorter. */
const longestToken = 1_024;
/** How many verified tokens are cached, about 1 kB each. */
const rememberedTokens = 20_000;

const claimsSchema = v.object({ sub: v.string(), sid: v.string(), exp: v.number() });

interface Verified {
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const isInForce = ({ expiresAt }: Verified, now: number): boolean =>
  expiresAt > now && expiresAt <= now + accessTokenSeconds * 1000 + clockSkewMs;

export interface AccessTokens {
  /** The same input gives the same token. `issuedAt` in milliseconds. */
  readonly issue: (actor: Actor, issuedAt: number) => Promise<string>;
  /** Null for a token that is not ours, was changed, or has expired. */
  readonly verify: (token: string, now: number) => Promise<Actor | null>;
}

export function createAccessTokens(secrets: readonly string[]): AccessTokens {
  const keys = keysFor("access", secrets).map((key) => ({ key, kid: key.subarray(0, 4).toString("hex") }));
  const current = keys[0];
  if (!current) throw new Error("No secret key is configured: access tokens cannot be signed");
  const remembered = new Map<string, Verified>();

  async function verifyAnew(token: string, now: number): Promise<Verified | null> {
    for (const { key } of keys) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          issuer,
          audience,
          typ: "at+jwt",
          currentDate: new Date(now),
        });
        const claims = v.safeParse(claimsSchema, payload);
        return claims.success
          ? { actor: { accountUuid: claims.output.sub, sessionId: claims.output.sid }, expiresAt: claims.output.exp * 1000 }
          : null;
      } catch {
        // An invalid token fails with every key, so the reason does not matter.
      }
    }
    return null;
  }

  return {
    issue: (actor, issuedAt) => {
      const seconds = Math.floor(issuedAt / 1000);
      return new SignJWT({ sid: actor.sessionId })
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: current.kid })
        .setSubject(actor.accountUuid)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + accessTokenSeconds)
        .sign(current.key);
    },
    verify: async (token, now) => {
      if (token.length > longestToken) return null;
      const known = remembered.get(token);
      if (known) return isInForce(known, now) ? known.actor : null;
      const verified = await verifyAnew(token, now);
      if (!verified || !isInForce(verified, now)) return null;
      // Drops the tokens that were verified longest ago. One that is still in use is verified anew.
      for (const oldest of remembered.keys()) {
        if (remembered.size < rememberedTokens) break;
        remembered.delete(oldest);
      }
      remembered.set(token, verified);
      return verified.actor;
    },
  };
}
