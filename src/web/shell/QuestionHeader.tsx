/** The navbar of the funnel: Back, the logo in the middle, languages and menu at the end, and progress below. */
import { buildPath } from "#core/routes.ts";
import { Icon } from "#ui/Icon.tsx";
import { Logo } from "#ui/Logo.tsx";
import { ProgressBar } from "#ui/ProgressBar.tsx";
import { isPlainClick } from "../clicks.ts";
import { goBackTo } from "../navigation.ts";
import { useSite } from "../siteContext.tsx";
import { Languages } from "./Languages.tsx";
import { Menu } from "./Menu.tsx";
import styles from "./shell.module.css";

interface QuestionHeaderProps {
  /** Path of the previous page, with the answers so far as a query for visitors without scripts; null without a Back arrow. */
  readonly back: { readonly path: string; readonly query: string } | null;
  /** Progress in percent; null hides the bar. */
  readonly progress: number | null;
}

export function QuestionHeader({ back, progress }: QuestionHeaderProps) {
  const { t, locale, client, session } = useSite();
  return (
    <header>
      <nav className={`${styles["nav"]} ${styles["centred"]}`} aria-label={t("shell.nav")}>
        {back !== null && (
          <a
            className={styles["back"]}
            href={back.path + back.query}
            aria-label={t("shell.back")}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              goBackTo(back.path, { locale, version: session.compiled.definition.id });
            }}
          >
            <Icon name="arrow-left" stroke={2.2} />
          </a>
        )}
        <a className={styles["home"]} href={buildPath("home", locale)} aria-label={t("shell.home")}>
          <Logo name={client.brand} />
        </a>
        <div className={styles["end"]}>
          <Languages />
          <Menu />
        </div>
      </nav>
      {progress !== null && <ProgressBar percent={progress} label={t("shell.progress")} />}
    </header>
  );
}
