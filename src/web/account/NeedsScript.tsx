import { useSite } from "../siteContext.tsx";
import styles from "./account.module.css";

/** For pages that do nothing without scripts, also in browsers that cannot read ours (decision 226). React ignores `noscript` in the browser. */
export function NeedsScript() {
  const { t } = useSite();
  return <noscript>{import.meta.env.SSR ? <p className={styles["noScript"]}>{t("page.noScript")}</p> : null}</noscript>;
}
