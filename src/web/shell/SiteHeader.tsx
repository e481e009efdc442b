/** The navbar outside the funnel: logo, languages, menu. It works without scripts. */
import { buildPath } from "#core/routes.ts";
import { Logo } from "#ui/Logo.tsx";
import { useSite } from "../siteContext.tsx";
import { Languages } from "./Languages.tsx";
import { Menu, MenuItems } from "./Menu.tsx";
import shell from "./shell.module.css";
import styles from "./site.module.css";

export function SiteHeader() {
  const { t, locale, client, bare } = useSite();
  if (bare) return null;
  return (
    <header>
      <nav className={shell["nav"]} aria-label={t("shell.nav")}>
        <a className={shell["home"]} href={buildPath("home", locale)} aria-label={t("shell.home")}>
          <Logo name={client.brand} />
        </a>
        <div className={shell["end"]}>
          <div className={styles["row"]}>
            <MenuItems />
          </div>
          <Languages />
          <div className={styles["narrow"]}>
            <Menu />
          </div>
        </div>
      </nav>
    </header>
  );
}
