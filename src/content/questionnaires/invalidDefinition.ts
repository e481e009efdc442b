/** An invalid definition, with all its errors by screen and field. */
import * as v from "valibot";

export interface DefinitionFault {
  readonly question?: number | undefined;
  readonly message: string;
}

export class InvalidDefinition extends Error {
  readonly faults: readonly DefinitionFault[];
  constructor(faults: readonly DefinitionFault[]) {
    super(faults.map(({ message }) => message).join(" "));
    this.faults = faults;
  }
}

export function lacks(question: number | undefined, field: string): DefinitionFault {
  return { question, message: `${question === undefined ? "The definition" : `Screen ${question}`} lacks ${field}.` };
}

/** A schema's error. `within` is the path of the checked part in the definition ("questions.3.contents.0"), empty for the whole definition. */
export function faultOf(issue: v.BaseIssue<unknown>, questions: readonly { readonly id: number }[], within = ""): DefinitionFault {
  const { question, field } = placeOf([within, v.getDotPath(issue) ?? ""].filter((part) => part !== "").join("."), questions);
  if (issue.received === "undefined") return lacks(question, field);
  return { question, message: `${question === undefined ? "" : `Screen ${question}, `}${field}: ${issue.message}.` };
}

/** A block of an unknown type. */
export function unknownBlock(type: string, questions: readonly { readonly id: number }[], within: string): DefinitionFault {
  const { question, field } = placeOf(within, questions);
  return { question, message: `Screen ${question}, ${field}: there is no block "${type}".` };
}

function placeOf(path: string, questions: readonly { readonly id: number }[]) {
  const [, index, rest = ""] = /^questions\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  const question = index === undefined ? undefined : questions[Number(index)]?.id;
  return { question, field: question === undefined ? path : rest };
}
