/** Structured data (schema.org) for search engines. It may only state what is true and shown on the page. */
import { brand } from "#content/brand.ts";
import { type Locale, locales } from "#core/locales.ts";
import { buildPath, type PageRoute } from "#core/routes.ts";
import { subscriptionHelp } from "../pages/handle-your-subscription/help.ts";
import type { WebSite } from "../siteContext.tsx";

type Thing = Readonly<Record<string, unknown>>;

/** A page's JSON-LD; empty for most pages. */
export function structuredData(route: PageRoute, site: WebSite): readonly Thing[] {
  const { t, locale, client } = site;
  const organisationId = `${client.publicUrl}/#organization`;
  switch (route) {
    case "home":
      return [
        {
          "@type": "Organization",
          "@id": organisationId,
          name: brand.name,
          legalName: brand.company.name,
          url: `${client.publicUrl}/`,
          logo: `${client.publicUrl}/media/icon-512.png`,
          email: brand.company.email,
          contactPoint: {
            "@type": "ContactPoint",
            contactType: "customer support",
            email: brand.company.email,
            availableLanguage: [...locales],
          },
        },
        {
          "@type": "Course",
          name: t("meta.home.title"),
          description: t("meta.home.description"),
          url: client.publicUrl + buildPath("home", locale),
          inLanguage: learnersLanguage(locale),
          about: { "@type": "Language", name: "English", alternateName: "en" },
          provider: { "@id": organisationId },
          hasCourseInstance: { "@type": "CourseInstance", courseMode: "Online" },
        },
      ].map(inContext);
    case "handle-your-subscription":
      return [
        {
          "@type": "FAQPage",
          inLanguage: locale,
          mainEntity: subscriptionHelp.map(({ title, texts }) => ({
            "@type": "Question",
            name: t(title),
            acceptedAnswer: { "@type": "Answer", text: texts.map((text) => t(text, { EMAIL: brand.company.email })).join(" ") },
          })),
        },
      ].map(inContext);
    default:
      return [];
  }
}

function inContext(thing: Thing): Thing {
  return { "@context": "https://schema.org", ...thing };
}

/** The course's languages: explanations in the visitor's language, practice in English. */
function learnersLanguage(locale: Locale): readonly string[] {
  return locale === "en-US" ? [locale] : [locale, "en"];
}
