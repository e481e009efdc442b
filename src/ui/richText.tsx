import { unbreakable } from "#core/text.ts";
import type { ReactNode } from "react";

type Part = string | { readonly tag: string; readonly parts: readonly Part[] };

/**
 * A filled text as elements: `b` strong, `i` emphasized, `en` English words, `nw` no line break; of an unknown tag only the contents. A
 * text without tags stays a string, unless it contains a word that must not break.
 */
export function richText(parts: readonly Part[]): ReactNode {
  if (parts.every((part) => typeof part === "string")) return unbroken(parts.join(""));
  return parts.map((part, index) => (typeof part === "string" ? unbroken(part) : <Tagged key={index} tag={part.tag} parts={part.parts} />));
}

/** Prevents line breaks inside unbreakable words. Search, copy and screen readers see the text unchanged. */
export function unbroken(text: ReactNode): ReactNode {
  if (typeof text !== "string" || !unbreakable.test(text)) return text;
  return text.split(unbreakable).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className="nw">
        {piece}
      </span>
    ),
  );
}

function Tagged({ tag, parts }: { readonly tag: string; readonly parts: readonly Part[] }): ReactNode {
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
