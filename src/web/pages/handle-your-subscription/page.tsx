/**
 * Help on cancellation, the initial period, refunds and contact (spec 001 §2). Signed-in visitors see their next lesson, their plan and
 * their account first, others the login: mails lead here to show the plan.
 */
import { brand } from "#content/brand.ts";
import { pictures } from "#content/media/manifest.ts";
import type { SubscriptionView } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import { useState } from "react";
import type { Page } from "../../page.ts";
import { Subscription } from "./Subscription.tsx";
import { accountAddress } from "../../device/accountAddress.ts";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { expectsPlan } from "../../device/cachedConfig.ts";
import { isSignedIn } from "../../device/storage.ts";
import { useSession, useSite } from "../../siteContext.tsx";
import { subscriptionHelp } from "./help.ts";
import { NextLesson } from "./NextLesson.tsx";
import styles from "./subscription.module.css";

const { email } = brand.company;

function View() {
  const { t, rich, locale, services } = useSite();
  const { live } = useSession();
  const [plan, setPlan] = useState<SubscriptionView | null>();
  const signedIn = live && isSignedIn(services.store);
  const learning =
    signedIn && (plan === undefined ? expectsPlan(services.store) : plan?.status === "active" || plan?.status === "past_due");
  const help = plan?.productType === "onetime" ? subscriptionHelp.filter(({ renewing }) => renewing !== true) : subscriptionHelp;
  const figure = pictures["phone"];
  const topics = (
    <nav aria-label={t("page.subscription.topics")} className={styles["topics"]}>
      <ul role="list">
        {help.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{t(title)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} data-route="handle-your-subscription">
        <div className={classes(styles["top"], signedIn && styles["own"])}>
          <div className={styles["in"]}>
            <div>
              <h1 tabIndex={-1}>{t(signedIn ? "page.login.title" : "page.subscription.title")}</h1>
              {learning ? (
                <NextLesson level={plan?.level ?? null} />
              ) : (
                <p>{t(signedIn ? "page.subscription.own" : "page.subscription.text")}</p>
              )}
            </div>
            {figure && <Picture source={figure} locale={locale} alt="" eager className={styles["figure"]} />}
          </div>
        </div>
        <div className={styles["sections"]}>
          <Subscription onPlan={setPlan} />
          {signedIn && <YourAccount />}
          {topics}
          {help.map(({ id, icon, title, texts }) => (
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
            {!signedIn && (
              <Button kind="secondary" icon="user-round" href={buildPath("handle-your-subscription/account", locale)}>
                {t("page.account.link")}
              </Button>
            )}
            <Button kind={signedIn ? "secondary" : "primary"} icon="mail" href={`mailto:${email}`}>
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

function YourAccount() {
  const { t, rich, locale, services } = useSite();
  const email = accountAddress(services.store);
  return (
    <section className={styles["account"]} aria-labelledby="your-account">
      <h2 id="your-account">{t("page.account.title")}</h2>
      <p>{rich("page.account.text", { EMAIL: email })}</p>
      <Button kind="secondary" icon="user-round" href={buildPath("handle-your-subscription/account", locale)}>
        {t("page.subscription.account")}
      </Button>
    </section>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.handle-your-subscription.title"),
  description: ({ t }) => t("meta.handle-your-subscription.description"),
  View,
};
