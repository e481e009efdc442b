/** The navbar outside the funnel: logo, languages, menu. It works before the script does. */
import { buildPath } from "#core/routes.ts";
import { Logo } from "#ui/Logo.tsx";
import { useSite } from "../siteContext.tsx";
import { Languages } from "./Languages.tsx";
import { Menu, MenuRow } from "./Menu.tsx";
import styles from "./shell.module.css";

export function SiteHeader() {
  const { t, locale, client, bare } = useSite();
  if (bare) return null;
  return (
    <header>
      <nav className={styles["nav"]} aria-label={t("shell.nav")}>
        <a className={styles["home"]} href={buildPath("home", locale)} aria-label={t("shell.home")}>
          <Logo name={client.brand} />
        </a>
        <div className={styles["end"]}>
          <MenuRow />
          <Languages />
          <Menu />
        </div>
      </nav>
    </header>
  );
}
