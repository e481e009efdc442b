import { Fragment, type ReactNode } from "react";

/** Marks a part's name in the filled sentence; no text contains this character. */
const edge = "\u0001";

interface SentenceProps {
  /** The interface text, filled with a mark for every part. */
  readonly fill: (standIns: Readonly<Record<string, string>>) => string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** A sentence of the interface with elements in it: a date is bold and a word is a link wherever the language puts them. */
export function Sentence({ fill, parts }: SentenceProps) {
  const pieces = fill(Object.fromEntries(Object.keys(parts).map((name) => [name, edge + name + edge]))).split(edge);
  return pieces.map((piece, index) => <Fragment key={index}>{index % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
