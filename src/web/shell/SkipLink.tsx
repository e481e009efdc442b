import { useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

/** The first stop of the Tab key: skips the navbar and leads to the page's main content. */
export function SkipLink() {
  const { t } = useSite();
  return (
    <a className={styles["skip"]} href="#main">
      {t("shell.skip")}
    </a>
  );
}
