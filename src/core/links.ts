/** What links carry in from outside, and how little of it is believed. */
import { routes } from "./routes.ts";

/** Scheme, host and port of an address; the path does not matter. ASCII only: no user, no backslash, no control character passes. */
const address = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[::1\])(?::(\d{1,5}))?(?:\/[\w.~/-]*)?$/;
/** This machine's names for itself, as a URL spells them. */
export const loopbackHosts: ReadonlySet<string | undefined> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const longest = 200;

function originOf(value: string): string | null {
  const parts = value.length > longest ? null : address.exec(value.toLowerCase());
  if (parts === null) return null;
  const [, scheme, host, port] = parts;
  if (scheme === "http" && !loopbackHosts.has(host)) return null;
  const usual = scheme === "https" ? "443" : "80";
  return `${scheme}://${host}:${port ?? usual}`;
}

/**
 * The entry of the configured list that a `backend-url` names, as the list spells it, or null. Plain http only to this
 * machine; whether the list may hold such an entry is decided where it is configured (not in production).
 */
export function allowedBackend(value: string | null | undefined, backends: readonly string[]): string | null {
  const origin = value ? originOf(value) : null;
  if (origin === null) return null;
  return backends.find((entry) => entry === value) ?? backends.find((entry) => originOf(entry) === origin) ?? null;
}

/** A link's `target`: a question's id of two digits at most, or null (spec 001 §2, "Token-login route"). */
export function targetIn(value: string | null | undefined): number | null {
  return value && /^[1-9]\d?$/.test(value) ? Number(value) : null;
}

/** The page that reactivates a plan, by its question id: kept as the target of a login that it asked for, never taken from a link. */
export const reactivateTarget = routes["questionnaire/reactivate"].questionId;

/** Earlier than this a link is not mailed again to who asks for it, ms. */
export const linkAgainAfter = 60_000;

/** A link's `discount`: a coupon's code, or null. */
export function discountIn(value: string | null | undefined): string | null {
  return value && /^[\w.-]{1,64}$/.test(value) ? value : null;
}
