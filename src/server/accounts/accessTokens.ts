/** Access tokens: JWT (HS256), 15 minutes, signed by the current key and verified by all. */
import { jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import type { Actor } from "../base/actor.ts";
import { keysFor } from "../base/keys.ts";

export const accessTokenSeconds = 15 * 60;
/** How much longer than that one may seem to live: other machines' clocks are not quite right. One from before the clock went back does. */
const clockSkewMs = 5 * 60 * 1000;
const issuer = "parlando";
const audience = "parlando-api";
/** A token longer than this is none of ours. */
const longestToken = 1_024;
/** Verified tokens are remembered, about 1 kB each. */
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
  if (!current) throw new Error("There is no key to sign access tokens with");
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
        // Whatever is wrong with it, it does not open anything with this key.
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
      // The oldest go first; a busy token is verified again at most once in so many others.
      for (const oldest of remembered.keys()) {
        if (remembered.size < rememberedTokens) break;
        remembered.delete(oldest);
      }
      remembered.set(token, verified);
      return verified.actor;
    },
  };
}
