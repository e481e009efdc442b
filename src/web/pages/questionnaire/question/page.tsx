/** The page of a question (spec 001 §2, "Question page layout"). */
import { isTitle } from "#blocks/bundled.ts";
import type { Page, PageProps } from "../../../page.ts";
import { localeTraits } from "#core/locales.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { shownPercent } from "#core/questionnaire/progress.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type AnyParams, buildPath } from "#core/routes.ts";
import { plainText } from "#core/text.ts";
import { waitsForMore, otherBlocksSource } from "../../../laterContents.ts";
import { questionPath } from "../../../navigation.ts";
import { answersQuery } from "../../../place.ts";
import { DutyLine } from "../../../shell/DutyLinks.tsx";
import { Footer } from "../../../shell/Footer.tsx";
import { QuestionHeader } from "../../../shell/QuestionHeader.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { withoutInventedClaims } from "./claims.ts";
import { contentOf, laterSite, loadOtherBlocks, usesValues } from "./blocks.tsx";
import { Question } from "./Question.tsx";

function View({ params }: PageProps) {
  const { locale, session, bare } = useSite();
  const { state } = useSession();
  const { compiled } = session;
  const id = Number(params.question);
  const question = compiled.question(id);
  if (question === undefined) {
    console.warn(`Missing question ${id} in version ${compiled.definition.id}`);
    return null;
  }
  const before = questionBefore(compiled, state, id);
  const back =
    before === null
      ? { path: buildPath("home", locale), query: "" }
      : { path: questionPath(locale, compiled.definition.id, before), query: answersQuery(state) };
  return (
    <>
      {!bare && question.navbar !== false && (
        <QuestionHeader back={back} progress={question.progress === false ? null : percentAt(compiled, state, id)} />
      )}
      <Question key={id} question={question} />
      {question.footer ? <Footer /> : <DutyLine />}
    </>
  );
}

/** The progress in percent. An error is only logged, and the page shows no bar (spec 001 §4). */
function percentAt(compiled: CompiledQuestionnaire, state: State, id: number): number | null {
  try {
    return shownPercent(compiled, state, id);
  } catch (error) {
    console.warn(`No progress in version ${compiled.definition.id}: ${String(error)}`);
    return null;
  }
}

/** The previous question in the visitor's history; the last one if this question is not in the history. An account is not asked for a password again. */
function questionBefore(compiled: CompiledQuestionnaire, { visitedQuestionIds, signupDone }: State, id: number): number | null {
  if (id === compiled.definition.initialQuestion) return null;
  const at = visitedQuestionIds.indexOf(id);
  const before = at < 0 ? visitedQuestionIds : visitedQuestionIds.slice(0, at);
  return before.findLast((one) => !(signupDone && compiled.nodes[one]?.asksPassword)) ?? null;
}

export const page: Page = {
  title(site, { question: id }) {
    const { session, locale, t } = site;
    const { compiled } = session;
    const heading = withoutInventedClaims(site, compiled.question(Number(id))?.contents.map(contentOf) ?? []).find(isTitle);
    if (heading === undefined) return t("meta.questionnaire/question.title");
    const { state, context } = session.snapshot();
    return plainText(heading.text, laterSite({ compiled, state, context }).values, localeTraits[locale].intl);
  },
  description: ({ t }) => t("meta.questionnaire/question.description"),
  async prepare(site, params) {
    if (needs(site.session.compiled, params)) await Promise.all([loadOtherBlocks(site), site.moreTexts()]);
  },
  sources: ({ session }, params) => (needs(session.compiled, params) ? [otherBlocksSource] : []),
  View,
};

function needs(compiled: CompiledQuestionnaire, params: AnyParams): boolean {
  const question = compiled.question(Number(params.question));
  return question !== undefined && (waitsForMore(compiled.definition, question) || usesValues(question));
}
