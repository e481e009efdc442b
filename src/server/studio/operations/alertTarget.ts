import ipaddr from "ipaddr.js";

/** Names of this machine or a private network: a single word, or an ending that no public name has. */
const isPrivateName = (host: string): boolean => !host.includes(".") || /\.(localhost|local|internal|lan|home\.arpa)$/.test(host);

/** Whether an address is allowed for alert webhooks: in production https only, and no private or loopback address. */
export function isAlertTarget(target: string, { production }: { readonly production: boolean }): boolean {
  if (!URL.canParse(target)) return false;
  const { protocol, hostname } = new URL(target);
  if (!production) return protocol === "https:" || protocol === "http:";
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  return protocol === "https:" && (ipaddr.isValid(host) ? ipaddr.process(host).range() === "unicast" : !isPrivateName(host));
}
