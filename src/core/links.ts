/** Validates the query parameters of links. */
import { routes } from "./routes.ts";

/** Scheme, host and port of an address; the path is ignored. ASCII only: user names, backslashes and control characters do not match. */
const address = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[::1\])(?::(\d{1,5}))?(?:\/[\w.~/-]*)?$/;
/** Names of this machine, as URLs spell them. */
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
 * The configured back end that `backend-url` names, in the list's spelling, or null. Plain http matches this machine only; the
 * configuration decides whether the list may hold such an entry (not in production).
 */
export function allowedBackend(value: string | null | undefined, backends: readonly string[]): string | null {
  const origin = value ? originOf(value) : null;
  if (origin === null) return null;
  return backends.find((entry) => entry === value) ?? backends.find((entry) => originOf(entry) === origin) ?? null;
}

/** The question id in a link's `target`, at most two digits, or null (spec 001 §2, "Token-login route"). */
export function targetIn(value: string | null | undefined): number | null {
  return value && /^[1-9]\d?$/.test(value) ? Number(value) : null;
}

/** The question id of the reactivation page: the target of a login that this page started. A link cannot set it. */
export const reactivateTarget = routes["questionnaire/reactivate"].questionId;

/** Milliseconds before the same link can be mailed again. */
export const linkResendDelay = 60_000;

/** How long mailed links to log in, and to choose a password, work, ms. */
export const askedLinkLife = { login: 600_000, reset: 1_800_000 } as const;

/** The query parameters that name the source of a visit: an advertisement or a campaign. Only they are reported to an analytics service. */
export const sourceParameter = /^(utm_\w+|gclid|gbraid|wbraid|dclid)$/;

/** The coupon code in a link's `discount`, or null. */
export function discountIn(value: string | null | undefined): string | null {
  return value && /^[\w.-]{1,64}$/.test(value) ? value : null;
}

/**
 * The query parameter of the page after paying that says for which account. It holds only the beginning of the account's uuid, enough to tell the
 * accounts of one browser apart.
 */
export const payerParameter = "payer";
export const payerOf = (accountUuid: string): string => accountUuid.slice(0, 8);

/** The query that hands a discount to the reactivation page; empty without one. */
export const discountQuery = (discount: string | null): string => (discount === null ? "" : `?discount=${encodeURIComponent(discount)}`);
