import { Fragment, type ReactNode } from "react";

/** Delimits the parts in the filled sentence; no text contains this character. */
const edge = "\u0001";

interface SentenceProps {
  /** Fills the interface text, with a marker for every part. */
  readonly fill: (standIns: Readonly<Record<string, string>>) => string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** An interface sentence with elements in it, such as a bold date or a link, in the order of the language. */
export function Sentence({ fill, parts }: SentenceProps) {
  const pieces = fill(Object.fromEntries(Object.keys(parts).map((name) => [name, edge + name + edge]))).split(edge);
  return pieces.map((piece, index) => <Fragment key={index}>{index % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
