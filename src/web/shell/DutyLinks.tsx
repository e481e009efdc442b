/** Links that the law requires on every page (`core/duties.ts`). */
import type { UiKey } from "#content/texts/ui.ts";
import { type Duty, isDutyOf } from "#core/duties.ts";
import type { Locale } from "#core/locales.ts";
import { type AddressedRoute, buildPath } from "#core/routes.ts";
import { classes } from "#ui/classes.ts";
import { useState } from "react";
import { useSite } from "../siteContext.tsx";
import { CookieSettings } from "./CookieSettings.tsx";
import styles from "./shell.module.css";

const links = [
  ["imprint", "imprint", "shell.duty.imprint"],
  ["cancelButton", "contract/cancel", "shell.duty.cancel"],
  ["withdrawalButton", "contract/withdraw", "shell.duty.withdraw"],
] as const satisfies readonly (readonly [Duty, AddressedRoute, UiKey])[];

export const dutyLinks = (locale: Locale) => links.filter(([duty]) => isDutyOf(locale, duty));

/** The links as list items. */
export function DutyLinks() {
  const { t, locale } = useSite();
  return (
    <>
      {dutyLinks(locale).map(([, route, text]) => (
        <li key={route}>
          <a href={buildPath(route, locale)}>{t(text)}</a>
        </li>
      ))}
      {isDutyOf(locale, "doNotSell") && <DoNotSell />}
    </>
  );
}

/** Works after hydration. Without scripts, no data is shared. */
function DoNotSell() {
  const { t, services } = useSite();
  const [refused, setRefused] = useState(false);
  return (
    <li aria-live="polite">
      {refused ? (
        <span>{t("shell.duty.notSold")}</span>
      ) : (
        <button
          type="button"
          onClick={() => {
            services.doNotSell();
            setRefused(true);
          }}
        >
          {t("shell.duty.doNotSell")}
        </button>
      )}
    </li>
  );
}

/** The links in a line, for pages without a footer. */
export function DutyLine() {
  const { t } = useSite();
  return (
    <section className={classes(styles["footer"], styles["line"])} aria-label={t("shell.duty")}>
      <ul role="list">
        <DutyLinks />
        <CookieSettings />
      </ul>
    </section>
  );
}
