import type { Question as QuestionDefinition } from "#core/questionnaire/definition.ts";
import { classes } from "#ui/classes.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import { traitsOf, WithoutAccount } from "./blocks.tsx";
import styles from "./question.module.css";
import { QuestionParts } from "./QuestionParts.tsx";
import { Header, Named, Wallpaper } from "./QuestionPictures.tsx";
import { Reward } from "./Reward.tsx";
import { useQuestion } from "./useQuestion.ts";
import { useScrollToActions, useQuestionShown } from "./useQuestionShown.ts";

export function Question({ question }: { readonly question: QuestionDefinition }) {
  const site = useSite();
  const { live } = useSession();
  // Only the device knows this. Buying needs an account.
  const signedIn = isSignedIn(site.services.store);
  const shown = useQuestion(question);
  const { contents, options, look, status, answering, blockSite } = shown;
  const needs = new Set(contents.flatMap(({ content }) => traitsOf(content).needs ?? []));
  const pays = needs.has("product");
  const onward = useQuestionShown(question, { pays, usesSchedule: needs.has("schedule") || needs.has("days"), signedIn });
  const actions = useScrollToActions(question, status === "pass");
  const layout = question.layout ?? "column";
  const { rewarded } = answering;
  return (
    <main
      id="main"
      tabIndex={-1}
      data-route="questionnaire/question"
      data-version={site.session.compiled.definition.id}
      data-question-id={question.id}
      {...(question.dark ? { "data-theme": "Kosmo" } : {})}
      className={classes(question.dark && styles["dark"], layout === "column" && styles["plain"], layout === "wide" && styles["roomy"])}
    >
      {question.wallpaper !== undefined && <Wallpaper image={question.wallpaper.image} gradient={question.wallpaper.gradient ?? false} />}
      <div className={classes(styles["page"], styles[layout], options.some((option) => look(option) === "primary") && styles["acts"])}>
        {typeof onward === "string" ? null : live && pays && !signedIn ? (
          <WithoutAccount questionId={question.id} />
        ) : (
          <>
            {question.badge !== undefined && <Named name={question.badge} className={styles["badge"]} />}
            {question.header !== undefined && <Header question={question} alt={blockSite.plain(question.header.alt)} />}
            <QuestionParts shown={shown} actions={actions} />
          </>
        )}
        {rewarded?.reward !== undefined && (
          <Reward reward={rewarded.reward} text={shown.text} plain={blockSite.plain} onEnd={() => void answering.send(rewarded)} />
        )}
      </div>
    </main>
  );
}
