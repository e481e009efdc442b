/** The locale switcher. It keeps the page. A list of links; on phones, after hydration, a native select. */
import { isLocale, locales, localeTraits } from "#core/locales.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { useOpenIn } from "../place.ts";
import { useSite } from "../siteContext.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { LanguageLinks } from "./LanguageList.tsx";
import styles from "./shell.module.css";

export function Languages() {
  const { t, locale } = useSite();
  const openIn = useOpenIn();
  const label = (
    <>
      <span aria-hidden="true">{localeTraits[locale].short}</span>
      <Icon name="chevron-down" stroke={2.2} />
    </>
  );
  return (
    <div>
      <span className={classes(styles["link"], styles["native"])}>
        {label}
        <select
          aria-label={t("shell.language")}
          value={locale}
          onChange={({ target: { value } }) => {
            if (isLocale(value)) openIn(value);
          }}
        >
          {locales.map((other) => (
            <option key={other} value={other} lang={other}>
              {localeTraits[other].name}
            </option>
          ))}
        </select>
      </span>
      <Disclosure
        className={styles["dropdown"]}
        summary={
          <>
            <span className="sr">
              {t("shell.language")}: {localeTraits[locale].name}
            </span>
            {label}
          </>
        }
      >
        <LanguageLinks />
      </Disclosure>
    </div>
  );
}
