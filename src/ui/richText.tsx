import { unbreakable } from "#core/text.ts";
import { Fragment, isValidElement, type ReactNode } from "react";

type Part = string | { readonly tag: string; readonly parts: readonly Part[] };

/**
 * A filled text as elements: `b` is strong, `i` emphasized, `en` English words, `nw` no line break. An unknown tag is left out, and its
 * contents are kept. A text without tags stays a string, unless it contains a word that must not break.
 */
export function richText(parts: readonly Part[]): ReactNode {
  if (parts.every((part) => typeof part === "string")) return unbroken(parts.join(""));
  return parts.map((part, index) => (typeof part === "string" ? unbroken(part) : <Tagged key={index} tag={part.tag} parts={part.parts} />));
}

/** Where a long e-mail address may break: before its domain. */
const beforeDomain = /(?=@\S)/;

/**
 * Prevents line breaks inside unbreakable words, and lets an e-mail address break before its domain rather than inside it. Search, copy and
 * screen readers see the text unchanged.
 */
export function unbroken(text: ReactNode): ReactNode {
  if (typeof text !== "string" || !(unbreakable.test(text) || beforeDomain.test(text))) return text;
  return text.split(unbreakable).map((piece, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{withBreaks(piece)}</Fragment>
    ) : (
      <span key={index} className="nw">
        {piece}
      </span>
    ),
  );
}

/**
 * The key of an element whose text changes: the element is then drawn anew. A browser that translates the page replaces the pieces of its text, and React could
 * neither change nor remove them.
 */
export function textKey(text: ReactNode): string {
  if (typeof text === "string") return text;
  if (Array.isArray(text)) return text.map(textKey).join("");
  if (isValidElement<TaggedProps>(text) && text.type === Tagged) return JSON.stringify(text.props.parts);
  return isValidElement<{ readonly children?: ReactNode }>(text) ? textKey(text.props.children) : "";
}

function withBreaks(text: string): ReactNode {
  const [first, ...others] = text.split(beforeDomain);
  return others.length === 0 ? text : [first, ...others.flatMap((part, index) => [<wbr key={index} />, part])];
}

interface TaggedProps {
  readonly tag: string;
  readonly parts: readonly Part[];
}

function Tagged({ tag, parts }: TaggedProps): ReactNode {
  const children = richText(parts);
  switch (tag) {
    case "b":
      return <b>{children}</b>;
    case "i":
      return <em>{children}</em>;
    case "en":
      return <span lang="en">{children}</span>;
    case "nw":
      return <span className="nw">{children}</span>;
    default:
      return children;
  }
}
