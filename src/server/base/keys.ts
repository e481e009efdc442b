/** Keys derived from the configured secrets, one per purpose, and the hash under which tokens are stored. */
import { createHash, createHmac, hkdfSync } from "node:crypto";

export type KeyPurpose = "access" | "refresh" | "link" | "device" | "network" | "trial" | "operator" | "limit" | "doctor";

const keyLength = 32;

/** The keys for a purpose, one per configured secret, the current one first. */
export function keysFor(purpose: KeyPurpose, secrets: readonly string[]): readonly Buffer[] {
  return secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", `parlando ${purpose}`, keyLength)));
}

/** The stored form of a token. Its 256 random bits need no slow hash. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Gives each network a stable name for the log. Without the key, the name reveals no address. */
export function networkNames(secrets: readonly string[]): (network: string) => string {
  const [key] = keysFor("network", secrets);
  if (key === undefined) throw new Error("No secret key is configured: networks cannot be named");
  return (network) => derivedToken(key, network).slice(0, 12);
}

/** A token of 43 characters that only the holder of the key can derive from the seed. */
export function derivedToken(key: Buffer, seed: string): string {
  return createHmac("sha256", key).update(seed).digest("base64url");
}

/** The token with this hash that one of the keys derives from the seed; null when none does. */
export function tokenWithHash(keys: readonly Buffer[], seed: string, hash: string): string | null {
  return keys.map((key) => derivedToken(key, seed)).find((token) => hashOf(token) === hash) ?? null;
}
