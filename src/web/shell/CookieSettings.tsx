/** Withdrawing consent is as easy as giving it: the way back to the choice of cookies stands on every page. */
import { useSession, useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

/** An item of a list. It opens once the script has come; until then only its place is kept, so that nothing moves. */
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
