/** What a mistyped address was probably meant to be. Apart from the rules (`validation.ts`), which the first question comes with. */

import { locales } from "./locales.ts";
import { mailDomains } from "./localeReach.ts";

/** A near miss of one of these is likely a typing error. */
const commonDomains = locales.flatMap((locale) => mailDomains[locale]);

/** Real ones that look like a slip of those. */
const knownDomains = ["mail.com", "email.com", "ymail.com", "gmx.at", "gmx.ch", "hotmail.se", "yahoo.se"];

/** The address as it was probably meant ("ana@gmial.com" → "ana@gmail.com"), or null when nothing is likely wrong. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || commonDomains.includes(domain) || knownDomains.includes(domain)) return null;
  const meant = commonDomains.find((common) => isOneSlip(domain, common));
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`;
}

/** Whether one letter is too many, missing, another one, or swapped with its neighbour. */
function isOneSlip(typed: string, meant: string): boolean {
  return [...meant, ""].some((letter, at) => {
    const [before, rest] = [typed.slice(0, at), typed.slice(at)];
    return [
      before + rest.slice(1),
      before + letter + rest,
      before + letter + rest.slice(1),
      before + rest.charAt(1) + rest.charAt(0) + rest.slice(2),
    ].includes(meant);
  });
}
