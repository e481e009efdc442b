import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Note.module.css";
import { textKey, unbroken } from "./richText.tsx";

/** A sentence with an icon before it, in text size. */
export function Note({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <p className={styles["note"]}>
      <Icon name={icon} className={styles["icon"]} />
      <span key={textKey(children)}>{unbroken(children)}</span>
    </p>
  );
}
