/** A page with one legal document (spec 001 §2). */
import { type LegalRoute, legalRoutes } from "#content/legal/documents.ts";
import { buildPath } from "#core/routes.ts";
import { Icon } from "#ui/Icon.tsx";
import type { MouseEvent } from "react";
import type { Page } from "../../page.ts";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { useSite } from "../../siteContext.tsx";
import { legalBody, loadLegalBody } from "./documents.ts";
import styles from "./legal.module.css";

/** The page of a legal route. Its title comes from the texts, so that it exists even if the document does not load. */
export function legalPage(route: LegalRoute): Page {
  const type = legalRoutes[route];
  function View() {
    const { t, locale } = useSite();
    return (
      <>
        <SiteHeader />
        <main id="main" tabIndex={-1} data-route={route} className={styles["page"]}>
          <a className={styles["back"]} href={buildPath("home", locale)} onClick={goBack}>
            <Icon name="arrow-left" /> {t("legal.back")}
          </a>
          <h1 tabIndex={-1}>{t(`meta.legal/${type}.title`)}</h1>
          {/* Our build generated this HTML from validated Markdown. The browser has no copy, so the server's HTML stays. */}
          <div className={styles["document"]} dangerouslySetInnerHTML={{ __html: legalBody(type, locale) }} suppressHydrationWarning />
        </main>
        <Footer />
      </>
    );
  }
  return {
    title: ({ t }) => t(`meta.legal/${type}.title`),
    description: ({ t }) => t(`meta.legal/${type}.description`),
    async prepare({ locale, moreTexts }) {
      if (import.meta.env.SSR) return loadLegalBody(type, locale);
      // In place, the page would have no text. The error makes the browser load the page from the server.
      if (document.querySelector(`main[data-route="${route}"]`) === null) throw new Error("Legal documents come from the server");
      await moreTexts();
    },
    View,
  };
}

/** Goes back if the previous page was ours, so that a sign-up page keeps its fields; else home. */
function goBack(event: MouseEvent): void {
  const fromHere = document.referrer !== "" && new URL(document.referrer).origin === location.origin;
  if (!fromHere || history.length < 2 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
}
