import { Fragment, type ReactNode } from "react";

/** Separates the parts in the filled sentence. No text contains this character. */
const edge = "\u0001";

interface SentenceProps {
  /** Fills the interface text with a marker for every part. */
  readonly fill: (standIns: Readonly<Record<string, string>>) => string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** An interface sentence with elements in it (a bold date, a link), in the word order of the language. */
export function Sentence({ fill, parts }: SentenceProps) {
  const pieces = fill(Object.fromEntries(Object.keys(parts).map((name) => [name, edge + name + edge]))).split(edge);
  return pieces.map((piece, index) => <Fragment key={index}>{index % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
