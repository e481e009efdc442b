/** The footer: legal documents (they link to the others), help and cookie settings. */
import type { UiKey } from "#content/texts/ui.ts";
import { buildPath } from "#core/routes.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { CookieSettings } from "./CookieSettings.tsx";
import { DutyLinks } from "./DutyLinks.tsx";
import styles from "./shell.module.css";

const links = [
  ["legal/terms-and-conditions", "shell.footer.terms"],
  ["legal/privacy", "shell.footer.privacy"],
  ["legal/licenses", "shell.footer.licenses"],
  ["handle-your-subscription", "shell.footer.help"],
] as const satisfies readonly (readonly [string, UiKey])[];

export function Footer() {
  const { t, locale, client } = useSite();
  const { context } = useSession();
  return (
    <footer className={styles["footer"]} aria-label={t("shell.footer")}>
      <p>{t("shell.footer.company", { YEAR: context.today.slice(0, 4), COMPANY: client.brand })}</p>
      <ul role="list">
        {links.map(([route, text]) => (
          <li key={route}>
            <a href={buildPath(route, locale)}>{t(text)}</a>
          </li>
        ))}
        <DutyLinks />
        <CookieSettings />
      </ul>
    </footer>
  );
}
