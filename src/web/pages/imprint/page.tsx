/** The imprint: the site's operator (§ 5 DDG, art. 10 LSSI, art. 2 Decreto 7.962; decision 130). */
import { brand } from "#content/brand.ts";
import { Note } from "#ui/Note.tsx";
import type { ReactNode } from "react";
import type { Page } from "../../page.ts";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { useSite } from "../../siteContext.tsx";
import styles from "./imprint.module.css";

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function View() {
  const { t, rich } = useSite();
  const { company } = brand;
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} data-route="imprint" className={styles["page"]}>
        <h1 tabIndex={-1}>{t("meta.imprint.title")}</h1>
        {!brand.isOwn.company && <Note icon="info">{t("imprint.example")}</Note>}
        <Part title={t("imprint.provider")}>
          <address>
            {[company.name, ...company.address, company.country].map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        </Part>
        <Part title={t("imprint.represented")}>
          <p>{company.representedBy}</p>
        </Part>
        <Part title={t("imprint.contact")}>
          <p>
            <a href={`mailto:${company.email}`}>{rich("imprint.email", { EMAIL: company.email })}</a>
          </p>
          <p>
            <a href={`tel:${company.phone.replaceAll(" ", "")}`}>{t("imprint.phone", { PHONE: company.phone })}</a>
          </p>
        </Part>
        <Part title={t("imprint.register")}>
          <p>{company.register}</p>
        </Part>
        <Part title={t("imprint.vat")}>
          <p>{company.vatId}</p>
        </Part>
        <Part title={t("imprint.responsible")}>
          <p>{company.responsible}</p>
        </Part>
        <Part title={t("imprint.seller")}>
          <p>{t("imprint.seller.text")}</p>
        </Part>
        <Part title={t("imprint.disputes")}>
          <p>{t("imprint.disputes.text")}</p>
        </Part>
      </main>
      <Footer />
    </>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.imprint.title"),
  description: ({ t }) => t("meta.imprint.description"),
  View,
};
