/**
 * Paddle Classic's `p_signature`: all other fields sorted by name, serialised as PHP does,
 * signed with RSA and SHA-1 by the vendor's key.
 */
import { createVerify } from "node:crypto";
import { serialize } from "php-serialize";

const mostFields = 200;
/** Ten times as much as the longest alert. */
const mostBytes = 32 * 1_024;

/** Checked before the body is parsed: parsing 256 KB of names takes 0.3 s, one value of as many spaces 8 ms, and anybody can send them. */
function isLongerThanAlerts(rawBody: Buffer): boolean {
  if (rawBody.length > mostBytes) return true;
  let at = -1;
  for (let fields = 1; (at = rawBody.indexOf("&", at + 1)) >= 0; fields++) if (fields >= mostFields) return true;
  return false;
}

/** The fields of an alert with a valid signature; null for any other body. */
export function signedFields(rawBody: Buffer, publicKey: string): Readonly<Record<string, string>> | null {
  if (isLongerThanAlerts(rawBody)) return null;
  const fields = [...new URLSearchParams(rawBody.toString("utf8"))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { p_signature: signature, ...alert } = Object.fromEntries(fields);
  // Only base64 as PHP writes it. A decoder skips other characters, so a changed body would have the same signature.
  if (signature === undefined || !/^[\w+/]+={0,2}$/.test(signature)) return null;
  // Each name occurs once, and none looks like a number: an object would sort those first, unlike the signed sequence.
  if (Object.keys(alert).length + 1 !== fields.length || fields.some(([name]) => !/^[a-z][a-z0-9_]*$/i.test(name))) return null;
  const verifier = createVerify("sha1").update(serialize(alert));
  try {
    return verifier.verify(publicKey, signature, "base64") ? alert : null;
  } catch {
    // An invalid key verifies nothing; `npm run paddle -- check` reports it.
    return null;
  }
}
