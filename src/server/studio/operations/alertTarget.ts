import { loopbackHosts } from "#core/links.ts";
import ipaddr from "ipaddr.js";

/** Whether an address is allowed for alert webhooks: in production https only, and no private or loopback address. */
export function isAlertTarget(target: string, { production }: { readonly production: boolean }): boolean {
  if (!URL.canParse(target)) return false;
  const { protocol, hostname } = new URL(target);
  if (!production) return protocol === "https:" || protocol === "http:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "https:" && !loopbackHosts.has(host) && (!ipaddr.isValid(host) || ipaddr.process(host).range() === "unicast");
}
