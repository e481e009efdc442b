/** Devices that have logged in to an account before prove it by a signed cookie: a stranger's guessing never stands in their way. */
import { timingSafeEqual } from "node:crypto";
import type { World } from "../base/world.ts";
import type { Settings } from "../base/settings.ts";
import { derivedToken, keysFor } from "../base/keys.ts";

export const deviceCookieName = "parlando-device";
const cookieSeconds = 365 * 24 * 60 * 60;
const idBytes = 16;
/** Accounts that one device is remembered for, the latest first. */
const rememberedAccounts = 4;
/** `<id>.<signature>`, both base64url. */
const proofPattern = /^([\w-]{22})\.([\w-]{43})$/;

export interface KnownAccount {
  readonly uuid: string;
  readonly trust_epoch: string;
}

export interface KnownDevices {
  /** The device's id with this account, when the `cookie` header proves one; null for a stranger. */
  readonly knownAs: (cookies: string | undefined, account: KnownAccount) => string | null;
  /** The value of `set-cookie` by which the device is known to this account from now on, and to the others it was known to. */
  readonly remember: (cookies: string | undefined, account: KnownAccount) => string;
}

export function createKnownDevices({ secretKeys, backendUrl, publicUrl }: Settings, world: World): KnownDevices {
  const keys = keysFor("device", secretKeys);
  const current = keys[0];
  if (!current) throw new Error("There is no key to sign a device's proof with");
  const { pathname, protocol, host } = new URL(backendUrl);
  // A back end on another host than the pages gets no cookie of its own otherwise.
  const sameSite = host === new URL(publicUrl).host ? "Lax" : "None";
  const attributes = `Path=${pathname}; Max-Age=${cookieSeconds}; HttpOnly; SameSite=${sameSite}${protocol === "https:" ? "; Secure" : ""}`;

  const signed = (key: Buffer, id: string, { uuid, trust_epoch }: KnownAccount) =>
    derivedToken(key, JSON.stringify([id, uuid, trust_epoch]));
  /** The id that a proof shows, if it is one of this account. */
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
