/** Links to the current page in every language. With scripts they keep the query. */
import { locales, localeTraits } from "#core/locales.ts";
import { isPlainClick } from "../clicks.ts";
import { useOpenIn, usePathIn } from "../place.ts";
import { useSite } from "../siteContext.tsx";

export function LanguageLinks() {
  const { locale } = useSite();
  const pathIn = usePathIn();
  const openIn = useOpenIn();
  return (
    <ul role="list">
      {locales.map((other) => (
        <li key={other}>
          <a
            href={pathIn(other)}
            lang={other}
            hrefLang={other}
            aria-current={other === locale || undefined}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              openIn(other);
            }}
          >
            {localeTraits[other].name}
          </a>
        </li>
      ))}
    </ul>
  );
}
