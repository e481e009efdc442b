/** The shown page in every language, as links. */
import { locales, localeTraits } from "#core/locales.ts";
import { usePathIn } from "../place.ts";
import { useSite } from "../siteContext.tsx";

export function LanguageLinks() {
  const { locale } = useSite();
  const pathIn = usePathIn();
  return (
    <ul role="list">
      {locales.map((other) => (
        <li key={other}>
          <a href={pathIn(other)} lang={other} hrefLang={other} aria-current={other === locale || undefined}>
            {localeTraits[other].name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** For the menu of the funnel, where the navbar has no room of its own for it. */
export function LanguageList() {
  const { t } = useSite();
  return (
    <>
      <h2>{t("shell.language")}</h2>
      <LanguageLinks />
    </>
  );
}
