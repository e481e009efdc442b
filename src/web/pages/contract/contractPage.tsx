/** Cancellation and withdrawal without login: the form with the legally worded button, then the receipt (§§ 312k, 356a BGB; decisions 132, 133). */
import { displayedWithdrawalDays } from "#core/withdrawal.ts";
import { useState } from "react";
import type { Page } from "../../page.ts";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { useSite } from "../../siteContext.tsx";
import { ContractForm } from "./ContractForm.tsx";
import styles from "./contract.module.css";
import { type Kind, routeOf, type Sent } from "./notice.ts";
import { Receipt } from "./Receipt.tsx";

export function contractPage(kind: Kind): Page {
  const route = routeOf(kind);
  function View() {
    const { t, rich, locale } = useSite();
    const [sent, setSent] = useState<Sent | null>(null);
    return (
      <>
        <SiteHeader />
        <main id="main" tabIndex={-1} data-route={route} className={styles["page"]}>
          {sent === null ? (
            <>
              <h1 tabIndex={-1}>{t(`contract.${kind}.title`)}</h1>
              <p className={styles["text"]}>
                {rich(`contract.${kind}.text`, kind === "withdraw" ? { DAYS: displayedWithdrawalDays(locale) } : {})}
              </p>
              <ContractForm kind={kind} onSent={setSent} />
            </>
          ) : (
            <Receipt sent={sent} />
          )}
        </main>
        <Footer />
      </>
    );
  }
  return {
    title: ({ t }) => t(`meta.${route}.title`),
    description: ({ t }) => t(`meta.${route}.description`),
    View,
  };
}
