import type { BlockContent } from "#blocks/specs.ts";
import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import { fillText, type TextValues } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import { type ReactNode, useState } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";
import { withoutInventedClaims } from "./claims.ts";
import { contentOf, traitsOf, validateContents } from "./blocks.tsx";
import { optionLook } from "./options.ts";
import { useAnswering } from "./useAnswering.ts";
import { useBlockSite } from "./useBlockSite.tsx";

export interface KeyedContent {
  readonly content: BlockContent;
  readonly key: string;
}

/** A question's visible contents and options for this visitor, with their validation. */
export function useQuestion(question: Question) {
  const site = useSite();
  const { session } = site;
  const { state, context, fields } = useSession();
  const { compiled } = session;
  const contents: readonly KeyedContent[] = withoutInventedClaims(
    site,
    visibleContents(compiled, question, state, context).map(contentOf),
  ).map((content, index) => ({ content, key: `${content.type}-${index}` }));
  // The studio's picture, which the server renders live, shows each content at its end.
  const [done, setDone] = useState<ReadonlySet<string>>(
    import.meta.env.SSR && session.snapshot().live ? new Set(contents.map(({ key }) => key)) : new Set(),
  );
  const allOptions = visibleOptions(compiled, question, state, context);
  const statusOf = (items: readonly KeyedContent[]) =>
    validateContents(
      items.map(({ content }) => content),
      { state, context, fields },
      (index) => done.has(items[index]?.key ?? ""),
    );
  const status = statusOf(contents);
  // Enter in a sign-up field also submits an invalid value: then the field shows the error.
  const others = contents.filter(({ content }) => !content.type.startsWith("signup"));
  const isOpen = statusOf(others) === "pass" || others.some(({ content }) => traitsOf(content).submits);
  const answering = useAnswering(question, allOptions, isOpen);
  const onDone = (key: string) => setDone((before) => new Set([...before, key]));
  const blockSite = useBlockSite({ questionId: question.id, submit: answering.submit, onDone });
  const text = (value: Option["description"], more?: TextValues): ReactNode =>
    value === undefined ? null : richText(fillText(value, { ...blockSite.values, ...more }, blockSite.intl));
  // While the contents block an answer, only options that lead back are shown.
  const options = allOptions.filter((option) => status !== "block" || isWayBack(option));
  const isDone = (key: string) => done.has(key);
  const look = optionLook(allOptions);
  return { question, contents, allOptions, options, look, status, statusOf, isDone, answering, blockSite, text };
}

export type ShownQuestion = ReturnType<typeof useQuestion>;
