/** A page with one figure, one message and one action, for pages after the funnel and for errors. */
import { pictures } from "#content/media/manifest.ts";
import { type PageRoute, questionIdAt } from "#core/routes.ts";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import { textKey, unbroken } from "#ui/richText.tsx";
import type { ReactNode } from "react";
import { useSite } from "../siteContext.tsx";
import { Footer } from "./Footer.tsx";
import { QuestionHeader } from "./QuestionHeader.tsx";
import styles from "./scene.module.css";

interface SceneProps {
  readonly route: PageRoute;
  /** Name of the figure's picture. */
  readonly figure: string;
  /** What the figure says, in English. */
  readonly says?: string;
  readonly confetti?: boolean;
  /** A smaller figure on phones, for pages with a form. */
  readonly compact?: boolean;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** The main action, at the lower edge on phones. */
  readonly action?: ReactNode;
  /** Whether the main action stands after the content on phones, too. */
  readonly actionLast?: boolean;
}

export function Scene(props: SceneProps) {
  const { route, figure, says, confetti = false, compact = false, title, text, children, action, actionLast = false } = props;
  const { locale, bare, session } = useSite();
  const picture = pictures[figure];
  // React sets a heading of one piece as a whole, also after the browser has translated it. The element stays, because it has the focus.
  const heading = unbroken(title);
  return (
    <>
      {!bare && <QuestionHeader back={null} progress={null} />}
      <main id="main" tabIndex={-1} data-route={route} data-version={session.compiled.definition.id} data-question-id={questionIdAt(route)}>
        <div className={styles["scene"]} data-compact={compact || undefined}>
          <div className={styles["party"]}>
            <div className={styles["shape"]} />
            {confetti && (
              <div className={styles["confetti"]} aria-hidden="true">
                {Array.from({ length: 9 }, (_, index) => (
                  <i key={index} />
                ))}
              </div>
            )}
            {picture !== undefined && <Picture source={picture} locale={locale} alt="" eager className={styles["figure"]} />}
            {says !== undefined && (
              <span className={styles["says"]} lang="en" aria-hidden="true">
                {says}
              </span>
            )}
          </div>
          <div className={styles["words"]}>
            <h1 tabIndex={-1}>{typeof heading === "string" ? heading : <span key={textKey(title)}>{heading}</span>}</h1>
            {text !== undefined && (
              <p key={textKey(text)} className={styles["text"]}>
                {unbroken(text)}
              </p>
            )}
            {children}
            {action !== undefined && (
              <div className={classes(styles["action"], !actionLast && styles["bar"])} data-bar={!actionLast || undefined}>
                <div className={styles["in"]}>{action}</div>
              </div>
            )}
          </div>
        </div>
      </main>
      <Footer />
    </>
  );
}
