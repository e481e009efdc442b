/** The legal documents: one Markdown file per type and locale beside this file (spec 000 §2, spec 001 §2). */
import type { AddressedRoute } from "#core/routes.ts";

export const legalTypes = [
  "terms-and-conditions",
  "privacy-policy",
  "licenses",
  "data-protection-authorities",
  "marketing-and-advertising-networks",
  "payment-providers",
  "service-providers",
] as const;
export type LegalType = (typeof legalTypes)[number];

/** The document at each address. The terms have two addresses, one of them canonical. */
export const legalRoutes = {
  "legal/terms": "terms-and-conditions",
  "legal/terms-and-conditions": "terms-and-conditions",
  "legal/privacy": "privacy-policy",
  "legal/licenses": "licenses",
  "legal/data-protection-authorities": "data-protection-authorities",
  "legal/marketing-and-advertising-networks": "marketing-and-advertising-networks",
  "legal/payment-providers": "payment-providers",
  "legal/service-providers": "service-providers",
} as const satisfies Readonly<Partial<Record<AddressedRoute, LegalType>>>;
export type LegalRoute = keyof typeof legalRoutes;

/** Routes that a document may link to by name. */
export function isLinked(name: string): name is LegalRoute | "imprint" | "contract/cancel" | "contract/withdraw" {
  return isLegalRoute(name) || name === "imprint" || name === "contract/cancel" || name === "contract/withdraw";
}

export function isLegalRoute(name: string): name is LegalRoute {
  return Object.hasOwn(legalRoutes, name);
}
