/** The link to the cookie settings on every page, so that withdrawing consent is as easy as giving it. */
import { useSession, useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

/** A list item. Until hydration it is invisible but keeps its place, so that nothing moves. */
export function CookieSettings() {
  const { t, services } = useSite();
  const { live } = useSession();
  const { cookieSettings } = services;
  const opens = live && cookieSettings !== null;
  return (
    <li className={opens ? undefined : styles["later"]}>
      <button type="button" onClick={cookieSettings ?? undefined}>
        {t("consent.settings")}
      </button>
    </li>
  );
}
