import { Icon } from "#ui/Icon.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, site, id }: BlockViewProps<Content>) {
  return (
    <section className={styles["questions"]} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{site.say(content.title)}</h2>
      {content.items.map(({ question, answer }, index) => (
        <details key={index}>
          <summary>
            <span>{site.say(question)}</span>
            <Icon name="chevron-down" />
          </summary>
          <p>{site.say(answer)}</p>
        </details>
      ))}
    </section>
  );
}
