/** How to cancel, what the initial period is, money back, and who helps (spec 001 §2). */
import { brand } from "#content/brand.ts";
import { pictures } from "#content/media/manifest.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import type { Page } from "../../page.ts";
import { Subscription } from "../../payment/Subscription.tsx";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { isSignedIn } from "../../session/storage.ts";
import { useSession, useSite } from "../../siteContext.tsx";
import styles from "./subscription.module.css";
import { subscriptionHelp } from "./help.ts";

const { email } = brand.company;

function View() {
  const { t, rich, locale, services } = useSite();
  const { live } = useSession();
  const figure = pictures["phone"];
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} data-route="handle-your-subscription">
        <div className={classes(styles["top"], live && isSignedIn(services.store) && styles["own"])}>
          <div className={styles["in"]}>
            <div>
              <h1 tabIndex={-1}>{t("page.subscription.title")}</h1>
              <p>{t("page.subscription.text")}</p>
              <nav aria-label={t("page.subscription.topics")}>
                <ul role="list">
                  {subscriptionHelp.map(({ id, title }) => (
                    <li key={id}>
                      <a href={`#${id}`}>{t(title)}</a>
                    </li>
                  ))}
                </ul>
              </nav>
            </div>
            {figure && <Picture source={figure} locale={locale} alt="" eager className={styles["figure"]} />}
          </div>
        </div>
        <div className={styles["sections"]}>
          <Subscription />
          {subscriptionHelp.map(({ id, icon, title, texts }) => (
            <section key={id} id={id} className={styles["section"]} aria-labelledby={`${id}-title`}>
              <span className={styles["tile"]}>
                <Icon name={icon} />
              </span>
              <div>
                <h2 id={`${id}-title`}>{t(title)}</h2>
                {texts.map((text) => (
                  <p key={text}>{rich(text, { EMAIL: email })}</p>
                ))}
              </div>
            </section>
          ))}
          <div className={styles["ways"]}>
            <Button kind="secondary" icon="user-round" href={buildPath("handle-your-subscription/account", locale)}>
              {t("page.account.link")}
            </Button>
            <Button icon="mail" href={`mailto:${email}`}>
              {t("page.subscription.write")}
            </Button>
            <p>
              <a href={buildPath("legal/terms-and-conditions", locale)}>{t("page.subscription.terms")}</a>
            </p>
          </div>
        </div>
      </main>
      <Footer />
    </>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.handle-your-subscription.title"),
  description: ({ t }) => t("meta.handle-your-subscription.description"),
  View,
};
