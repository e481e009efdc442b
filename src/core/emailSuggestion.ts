/** Suggests a correction for a mistyped address. Separate from `validation.ts`, which the first page loads. */

import { locales } from "./locales.ts";
import { mailDomains } from "./localeReach.ts";

/** An address close to one of these domains is probably a typo. */
const commonDomains = locales.flatMap((locale) => mailDomains[locale]);

/** Real domains that look like a typo of a common one. */
const knownDomains = ["mail.com", "email.com", "ymail.com", "gmx.at", "gmx.ch", "hotmail.se", "yahoo.se"];

/** The address that was probably meant ("ana@gmial.com" → "ana@gmail.com"), or null. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || commonDomains.includes(domain) || knownDomains.includes(domain)) return null;
  const meant = commonDomains.find((common) => isOneTypo(domain, common));
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`;
}

/** Whether the two differ by one letter added, missing, replaced or swapped with its neighbor. */
function isOneTypo(typed: string, meant: string): boolean {
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
