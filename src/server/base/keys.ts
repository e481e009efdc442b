/** Keys for each purpose, derived from the configured secrets, and the hash under which tokens are stored. */
import { createHash, createHmac, hkdfSync } from "node:crypto";

export type KeyPurpose = "access" | "refresh" | "link" | "device" | "network" | "trial" | "operator" | "limit" | "doctor";

const keyLength = 32;

/** One key a configured secret for a purpose, the current one first. */
export function keysFor(purpose: KeyPurpose, secrets: readonly string[]): readonly Buffer[] {
  return secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", `parlando ${purpose}`, keyLength)));
}

/** What a database keeps of a token: its 256 random bits need no slow hash. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** A name for a network in the log: the same one each time, and no address without the key. */
export function networkNames(secrets: readonly string[]): (network: string) => string {
  const [key] = keysFor("network", secrets);
  if (key === undefined) throw new Error("There is no key to name networks with");
  return (network) => derivedToken(key, network).slice(0, 12);
}

/** A token that only the holder of the key can derive from a seed; 43 characters. */
export function derivedToken(key: Buffer, seed: string): string {
  return createHmac("sha256", key).update(seed).digest("base64url");
}
