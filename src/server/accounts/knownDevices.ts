/**
 * Known devices. A device that has logged in before proves it with a signed cookie, so that a stranger's wrong passwords never lock out the owner.
 */
import { timingSafeEqual } from "node:crypto";
import type { World } from "../base/world.ts";
import type { Settings } from "../base/settings.ts";
import { derivedToken, keysFor } from "../base/keys.ts";

export const deviceCookieName = "parlando-device";
const cookieSeconds = 365 * 24 * 60 * 60;
const idBytes = 16;
/** A device is known to at most this many accounts: those that used it last. */
const rememberedAccounts = 4;
/** `<id>.<signature>`, both base64url. */
const proofPattern = /^([\w-]{22})\.([\w-]{43})$/;

export interface KnownAccount {
  readonly uuid: string;
  readonly trust_epoch: string;
}

export interface KnownDevices {
  /** The device's id for this account if the `cookie` header proves one; null for an unknown device. */
  readonly knownAs: (cookies: string | undefined, account: KnownAccount) => string | null;
  /** The `set-cookie` value that makes the device known to this account. Other accounts that know the device still know it. */
  readonly remember: (cookies: string | undefined, account: KnownAccount) => string;
}

export function createKnownDevices({ secretKeys, backendUrl, publicUrl }: Settings, world: World): KnownDevices {
  const keys = keysFor("device", secretKeys);
  const current = keys[0];
  if (!current) throw new Error("No secret key is configured: device proofs cannot be signed");
  const { pathname, protocol, host } = new URL(backendUrl);
  // If the API is on another host than the pages, browsers send its cookie only with SameSite=None.
  const sameSite = host === new URL(publicUrl).host ? "Lax" : "None";
  const attributes = `Path=${pathname}; Max-Age=${cookieSeconds}; HttpOnly; SameSite=${sameSite}${protocol === "https:" ? "; Secure" : ""}`;

  const signed = (key: Buffer, id: string, { uuid, trust_epoch }: KnownAccount) =>
    derivedToken(key, JSON.stringify([id, uuid, trust_epoch]));
  /** The id in a proof, if the proof is valid for this account. */
  function idIn(proof: string, account: KnownAccount): string | null {
    const [, id, signature] = proofPattern.exec(proof) ?? [];
    if (id === undefined || signature === undefined) return null;
    const shown = Buffer.from(signature);
    return keys.some((key) => timingSafeEqual(Buffer.from(signed(key, id, account)), shown)) ? id : null;
  }
  const knownAs: KnownDevices["knownAs"] = (cookies, account) =>
    proofsIn(cookies)
      .map((proof) => idIn(proof, account))
      .find((id) => id !== null) ?? null;

  return {
    knownAs,
    remember: (cookies, account) => {
      const id = knownAs(cookies, account) ?? world.randomBytes(idBytes).toString("base64url");
      const others = proofsIn(cookies).filter((proof) => idIn(proof, account) === null);
      const proofs = [`${id}.${signed(current, id, account)}`, ...others].slice(0, rememberedAccounts);
      return `${deviceCookieName}=${proofs.join("~")}; ${attributes}`;
    },
  };
}

function proofsIn(cookies: string | undefined): readonly string[] {
  const own = (cookies ?? "").split(/; */).find((cookie) => cookie.startsWith(`${deviceCookieName}=`));
  return (own ?? "")
    .slice(deviceCookieName.length + 1)
    .split("~", rememberedAccounts)
    .filter((proof) => proofPattern.test(proof));
}
