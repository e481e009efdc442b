import type { Platform } from "#core/questionnaire/context.ts";
import type { ClientConfig } from "../clientConfig.ts";

/** The app-store link for a platform: Android's store, otherwise Apple's (spec 001 §2). If only one store is configured, its link. */
export function storeLinkFor({ android, apple }: ClientConfig["storeLinks"], platform: Platform): string | null {
  return platform === "android" ? (android ?? apple) : (apple ?? android);
}
