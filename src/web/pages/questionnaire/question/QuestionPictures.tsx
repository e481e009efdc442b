/** The pictures around a question's contents: badge, wallpaper, header. */
import { pictures } from "#content/media/manifest.ts";
import type { Question as QuestionDefinition } from "#core/questionnaire/definition.ts";
import { classes } from "#ui/classes.ts";
import { Picture } from "#ui/Picture.tsx";
import { useRef } from "react";
import { useSite } from "../../../siteContext.tsx";
import styles from "./question.module.css";

/** The number of shift-clicks on the header picture that jump to the shortcut question (spec 001 §9). */
const shortcutClicks = 6;

export function Named({
  name,
  className,
  alt = "",
  eager = false,
}: {
  readonly name: string;
  readonly className: string | undefined;
  readonly alt?: string;
  readonly eager?: boolean;
}) {
  const { locale } = useSite();
  const source = pictures[name];
  return source === undefined ? null : <Picture source={source} locale={locale} alt={alt} eager={eager} className={className} />;
}

export function Wallpaper({ image, gradient }: { readonly image: string; readonly gradient: boolean }) {
  return (
    <div className={classes(styles["wallpaper"], gradient && styles["gradient"])} aria-hidden="true">
      <Named name={image} className={undefined} />
    </div>
  );
}

/** The picture above the heading. Six shift-clicks jump to the shortcut question, for testers. */
export function Header({ question, alt }: { readonly question: QuestionDefinition; readonly alt: string }) {
  const { session } = useSite();
  const clicks = useRef(0);
  const { header } = question;
  const { shortcutQuestion } = session.compiled.definition;
  if (header === undefined) return null;
  return (
    <div
      className={classes(styles["header"], header.flexible && styles["flexible"])}
      onClick={(event) => {
        if (!event.shiftKey || shortcutQuestion === undefined) return;
        clicks.current += 1;
        if (clicks.current === shortcutClicks) session.dispatch({ type: "moveTo", questionId: shortcutQuestion });
      }}
    >
      <Named name={header.media} alt={alt} eager className={styles["media"]} />
      {header.badge !== undefined && <Named name={header.badge} className={styles["headerBadge"]} />}
    </div>
  );
}
