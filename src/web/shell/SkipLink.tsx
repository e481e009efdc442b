import { useSite } from "../siteContext.tsx";
import styles from "./shell.module.css";

/** The first focusable element: skips the navbar and leads to the main content. */
export function SkipLink() {
  const { t } = useSite();
  return (
    <a className={styles["skip"]} href="#main">
      {t("shell.skip")}
    </a>
  );
}
