import type { ReactNode } from "react";

type Part = string | { readonly tag: string; readonly parts: readonly Part[] };

/**
 * A filled text as elements: `b` strong, `i` stressed, `en` English words, `nw` no line break; an unknown tag shows what is in it.
 * A text without tags stays a string.
 */
export function richText(parts: readonly Part[]): ReactNode {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return parts.map((part, index) => (typeof part === "string" ? part : <Tagged key={index} tag={part.tag} parts={part.parts} />));
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
