import { canonicalJson } from "#core/canonicalJson.ts";
import { createHash } from "node:crypto";
import type { Bundle } from "./bundle.ts";

/** Names the bundle by what is in it: SHA-256 of its canonical JSON, the same on every machine. */
export function hashOf(bundle: Bundle): string {
  return createHash("sha256").update(canonicalJson(bundle)).digest("hex");
}
