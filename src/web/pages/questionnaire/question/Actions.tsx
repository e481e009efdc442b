import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option } from "#core/questionnaire/definition.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import type { MouseEvent, ReactNode, Ref } from "react";
import { isPlainClick } from "../../../clicks.ts";
import type { Problem } from "../../../session/submit.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import type { OptionLook } from "./options.ts";
import styles from "./question.module.css";

interface ActionsProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly options: readonly Option[];
  readonly look: (option: Option) => OptionLook;
  readonly busy: boolean;
  readonly problem: Problem | null;
  /** As in `Options`. */
  readonly linkOf: (option: Option) => string | null | undefined;
  readonly onChoose: (option: Option) => void;
  readonly text: (value: Option["description"]) => ReactNode;
}

/** The main button, at the lower edge on phones, and quiet links at the end of the page, where they cover nothing. */
export function Actions({ ref, options, look, busy, problem, linkOf, onChoose, text }: ActionsProps) {
  const { t } = useSite();
  const { state } = useSession();
  if (options.length === 0 && problem === null) return <div ref={ref} />;
  const sticky = options.some((option) => look(option) === "primary");
  const isQuiet = (option: Option) => sticky && look(option) === "link";
  const button = (option: Option) => {
    const kind = look(option);
    const href = linkOf(option);
    const shared = {
      kind: kind === "card" ? "secondary" : kind,
      arrow: kind === "primary" && !isWayBack(option),
      "data-option-id": option.id,
      busy: busy && kind === "primary",
      children: text(option.description),
    } as const;
    return (
      <Button
        key={option.id}
        {...shared}
        {...(href == null ? { disabled: href === undefined } : { href })}
        onClick={(event: MouseEvent) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onChoose(option);
        }}
      />
    );
  };
  const quiet = options.filter(isQuiet);
  // After sign-up the account has the answers, too.
  const kept = !state.signupDone && options.some(({ type }) => type === "ToHomePage") && (
    <p className={styles["kept"]}>{t("question.kept")}</p>
  );
  return (
    <div ref={ref} className={sticky ? styles["foot"] : undefined}>
      <div className={classes(styles["actions"], sticky && styles["sticky"])} data-bar={sticky || undefined}>
        <div className={styles["in"]}>
          <div role="alert">
            {problem !== null && (
              <p className={styles["problem"]}>
                <Icon name="circle-alert" stroke={2.2} />
                <span>{t(`problem.${problem}`)}</span>
              </p>
            )}
          </div>
          {options.filter((option) => !isQuiet(option)).map(button)}
          {quiet.length === 0 && kept}
        </div>
      </div>
      {quiet.length > 0 && (
        <div className={classes(styles["in"], styles["quiet"])}>
          {quiet.map(button)}
          {kept}
        </div>
      )}
    </div>
  );
}
