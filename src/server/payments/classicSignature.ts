/**
 * Paddle Classic's `p_signature`: all other fields sorted by name, serialised as PHP does,
 * signed with RSA and SHA-1 by the vendor's key.
 */
import { createVerify } from "node:crypto";
import { serialize } from "php-serialize";

const mostFields = 200;

/** Looked at before the body is taken apart: a quarter of a megabyte of names takes 0.3 s, and anybody can send it. */
function hasMoreFields(rawBody: Buffer): boolean {
  let at = -1;
  for (let fields = 1; (at = rawBody.indexOf("&", at + 1)) >= 0; fields++) if (fields >= mostFields) return true;
  return false;
}

/** The fields of an alert whose signature is right; null for every other body. */
export function signedFields(rawBody: Buffer, publicKey: string): Readonly<Record<string, string>> | null {
  if (hasMoreFields(rawBody)) return null;
  const fields = [...new URLSearchParams(rawBody.toString("utf8"))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { p_signature: signature, ...alert } = Object.fromEntries(fields);
  // Base64 as PHP writes it: what a decoder skips would make a second body with the same signature.
  if (signature === undefined || !/^[\w+/]+={0,2}$/.test(signature)) return null;
  // Each name once, and none that looks like a number: an object sorts those first, unlike what was signed.
  if (Object.keys(alert).length + 1 !== fields.length || fields.some(([name]) => !/^[a-z][a-z0-9_]*$/i.test(name))) return null;
  const verifier = createVerify("sha1").update(serialize(alert));
  try {
    return verifier.verify(publicKey, signature, "base64") ? alert : null;
  } catch {
    // A key that is none verifies nothing; `npm run paddle -- check` says so.
    return null;
  }
}
