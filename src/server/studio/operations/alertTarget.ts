import { loopbackHosts } from "#core/links.ts";
import ipaddr from "ipaddr.js";

/** Whether alerts may be told to an address: in production by https, and to no address of the network that the process stands in. */
export function isAlertTarget(target: string, { production }: { readonly production: boolean }): boolean {
  if (!URL.canParse(target)) return false;
  const { protocol, hostname } = new URL(target);
  if (!production) return protocol === "https:" || protocol === "http:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "https:" && !loopbackHosts.has(host) && (!ipaddr.isValid(host) || ipaddr.process(host).range() === "unicast");
}
