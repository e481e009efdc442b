import { canonicalJson } from "#core/canonicalJson.ts";
import { memoize } from "#core/memoize.ts";
import { releaseName } from "#core/release.ts";
import { createHash } from "node:crypto";
import type { Bundle } from "./bundle.ts";
import { bundleFor, type Version } from "./index.ts";

/** SHA-256 of the bundle's canonical JSON, the same on every machine. The bundle's name is made from it. */
export function hashOf(bundle: Bundle): string {
  return createHash("sha256").update(canonicalJson(bundle)).digest("hex");
}

/** The release of a version in this build. */
export const shippedRelease = memoize((version: Version) => ({ name: releaseName(hashOf(bundleFor(version))) }));
