import { useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

/** The first stop of the keyboard: past the navbar, to what the page is about. */
export function SkipLink() {
  const { t } = useSite();
  return (
    <a className={styles["skip"]} href="#main">
      {t("shell.skip")}
    </a>
  );
}
