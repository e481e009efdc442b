/**
 * Verifies Paddle Billing's webhook signatures. The SDK's verifier refuses timestamps older than five seconds, accepts future ones, checks
 * only the last `h1`, and does not compare in constant time.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const toleranceSeconds = 5 * 60;
const header = /^ts=(\d{1,12})((?:;h1=[0-9a-f]{64}){1,10})$/;

/** @param secrets all currently valid ones: two during a rotation */
export function isPaddleSigned(rawBody: Buffer, signature: string, secrets: readonly string[], now: number): boolean {
  const [, stamp, hashes] = header.exec(signature) ?? [];
  if (stamp === undefined || hashes === undefined) return false;
  if (Math.abs(now / 1_000 - Number(stamp)) > toleranceSeconds) return false;
  const given = hashes.split(";h1=").slice(1);
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(`${stamp}:`).update(rawBody).digest();
    return given.some((hash) => timingSafeEqual(Buffer.from(hash, "hex"), expected));
  });
}
