import { canonicalJson } from "#core/canonicalJson.ts";
import { createHash } from "node:crypto";
import type { Bundle } from "./bundle.ts";

/** SHA-256 of the bundle's canonical JSON, the same on every machine. Used as the bundle's name. */
export function hashOf(bundle: Bundle): string {
  return createHash("sha256").update(canonicalJson(bundle)).digest("hex");
}
