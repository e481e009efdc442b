import { classes } from "#ui/classes.ts";
import { Icon, isIconName } from "#ui/Icon.tsx";
import type { BlockViewProps } from "../view.ts";
import { type Content, itemsFor } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, state, site }: BlockViewProps<Content>) {
  const List = content.ordered ? "ol" : "ul";
  return (
    <List className={classes(styles["list"], content.compact && styles["compact"])} role="list">
      {itemsFor(content, state).map(({ text, detail, icon }, index) => (
        <li key={index}>
          <span
            className={classes(styles["mark"], content.ordered ? styles["number"] : isIconName(icon) ? styles["tile"] : styles["tick"])}
            aria-hidden="true"
          >
            {content.ordered ? index + 1 : <Icon name={isIconName(icon) ? icon : "check"} {...(isIconName(icon) ? {} : { stroke: 3 })} />}
          </span>
          <span className={styles["words"]}>
            <span>{site.say(text)}</span>
            {detail !== undefined && <span className={styles["detail"]}>{site.say(detail)}</span>}
          </span>
        </li>
      ))}
    </List>
  );
}
