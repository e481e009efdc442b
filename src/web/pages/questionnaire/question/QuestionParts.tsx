import { isTitle } from "#blocks/bundled.ts";
import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { selectedOption } from "#core/questionnaire/requirements.ts";
import { Icon, isIconName } from "#ui/Icon.tsx";
import type { ReactNode, RefObject } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";
import { Actions } from "./Actions.tsx";
import { Block } from "./blocks.tsx";
import { Layout } from "./Layout.tsx";
import { optionLink } from "./options.ts";
import { Onward } from "./Onward.tsx";
import { Options } from "./Options.tsx";
import styles from "./question.module.css";
import type { KeyedContent, ShownQuestion } from "./useQuestion.ts";
import { WithoutScript } from "./WithoutScript.tsx";

/** Content types that span a wide page, above its two columns. */
const headings: ReadonlySet<string> = new Set(["title", "title-sparkle", "description"]);

/** A question's contents, answers and buttons, placed by its layout. */
export function QuestionParts({ shown, actions }: { readonly shown: ShownQuestion; readonly actions: RefObject<HTMLDivElement | null> }) {
  const { question, contents, options, look, status, answering, text } = shown;
  const site = useSite();
  const { session, t } = site;
  const { state, context, busy, problem } = useSession();
  const choices = options.filter((option) => look(option) === "card");
  const common = {
    linkOf: (option: Option) =>
      status === "pass" || isWayBack(option) ? optionLink(site, session.compiled, state, context, question, option) : undefined,
    onChoose: (option: Option) => void answering.choose(option),
    text,
  };
  const [above, below] = splitByLayout(question.layout, contents);
  // Without scripts no animation ends and no field is filled in, so the next steps are shown as links where possible.
  const withoutScript =
    question.type === "SignupView" ? (
      <noscript>
        <p className={styles["noscript"]}>{t("shell.noScript")}</p>
      </noscript>
    ) : (
      status !== "pass" && (
        <WithoutScript question={question} contents={contents.map(({ content }) => content)} options={shown.allOptions} text={text} />
      )
    );
  return (
    <Layout
      layout={question.layout}
      eyebrow={question.eyebrow && <Eyebrow eyebrow={question.eyebrow} text={text} />}
      above={<Blocks shown={shown} items={above} />}
      below={<Blocks shown={shown} items={below} />}
      answers={
        choices.length > 0 && (
          <Options
            question={question}
            options={choices}
            chosen={answering.pressed ?? selectedOption(state, question.id) ?? null}
            busy={busy || answering.pressed !== null}
            {...common}
          />
        )
      }
      withoutScript={withoutScript}
      ways={
        <Actions
          ref={actions}
          options={options.filter((option) => look(option) !== "card")}
          look={look}
          busy={busy}
          problem={problem}
          {...common}
        />
      }
      footnote={
        <>
          {question.footnote !== undefined && <p className={styles["footnote"]}>{text(question.footnote)}</p>}
          {question.id === session.compiled.definition.initialQuestion && <Onward />}
        </>
      }
    />
  );
}

/** Splits the contents into those that the layout places separately and the rest. */
function splitByLayout(
  layout: Question["layout"],
  contents: readonly KeyedContent[],
): readonly [readonly KeyedContent[], readonly KeyedContent[]] {
  if (layout === "wide") {
    const isHeading = ({ content }: KeyedContent) => headings.has(content.type);
    return [contents.filter(isHeading), contents.filter((item) => !isHeading(item))];
  }
  const at =
    layout === "level"
      ? Math.max(
          contents.findIndex(({ content }) => isTitle(content)),
          0,
        )
      : 0;
  return [contents.slice(0, at), contents.slice(at)];
}

function Blocks({ shown, items }: { readonly shown: ShownQuestion; readonly items: readonly KeyedContent[] }) {
  const { state, context } = useSession();
  const { question, blockSite } = shown;
  return items.map((item) => (
    <Block
      key={item.key}
      content={item.content}
      id={`q${question.id}-${item.key}`}
      state={state}
      context={context}
      status={shown.statusOf([item])}
      done={shown.isDone(item.key)}
      site={{ ...blockSite, onDone: () => blockSite.onDoneOf(item.key) }}
    />
  ));
}

function Eyebrow({
  eyebrow,
  text,
}: {
  readonly eyebrow: NonNullable<Question["eyebrow"]>;
  readonly text: (value: Option["description"]) => ReactNode;
}) {
  return (
    <p className={styles["eyebrow"]}>
      {isIconName(eyebrow.icon) && <Icon name={eyebrow.icon} />}
      {text(eyebrow.text)}
    </p>
  );
}
