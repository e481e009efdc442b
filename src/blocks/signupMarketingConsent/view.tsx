import { Icon } from "#ui/Icon.tsx";
import { unbroken } from "#ui/richText.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, site }: BlockViewProps<Content>) {
  return (
    <div className={styles["consent"]}>
      <span className={styles["tile"]}>
        <Icon name="mail" />
      </span>
      <div>
        <p>{site.say(content.text)}</p>
        <p className={styles["change"]}>{unbroken(site.t("block.signupMarketingConsent.change"))}</p>
      </div>
    </div>
  );
}
