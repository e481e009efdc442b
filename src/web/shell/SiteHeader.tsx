/** The navbar outside the funnel: logo, languages, login. It works before the script does. */
import { locales, localeTraits } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { Icon } from "#ui/Icon.tsx";
import { Logo } from "#ui/Logo.tsx";
import { useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

export function SiteHeader() {
  const { t, locale, client, bare, session } = useSite();
  if (bare) return null;
  return (
    <header>
      <nav className={styles["nav"]} aria-label={t("shell.nav")}>
        <a className={styles["home"]} href={buildPath("home", locale)} aria-label={t("shell.home")}>
          <Logo name={client.brand} />
        </a>
        <div className={styles["end"]}>
          <details className={styles["languages"]}>
            <summary className={styles["link"]}>
              <span className="sr">{t("shell.language")}: </span>
              <span aria-hidden="true">{localeTraits[locale].short}</span>
              <span className="sr">{localeTraits[locale].name}</span>
              <Icon name="chevron-down" stroke={2.2} />
            </summary>
            <ul role="list">
              {locales.map((other) => (
                <li key={other}>
                  <a href={buildPath("home", other)} lang={other} hrefLang={other} aria-current={other === locale || undefined}>
                    {localeTraits[other].name}
                  </a>
                </li>
              ))}
            </ul>
          </details>
          <a className={styles["link"]} href={buildPath("questionnaire/user", locale, { version: session.compiled.definition.id })}>
            {t("shell.nav.login")}
          </a>
        </div>
      </nav>
    </header>
  );
}
