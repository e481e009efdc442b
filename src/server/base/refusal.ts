/** What a call can answer instead of its plain output. */
import * as codes from "#core/errorCodes.ts";
import type { CodeOf, ErrorCode, ErrorName } from "#core/errors.ts";

/** An expected failure, as a value. `fields` maps a path to a validation key (or, for `newerExists`, `savedAt` to the newer state's time). */
export class Refusal<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: Code, more: { fields?: Readonly<Record<string, string>>; retryAfterSeconds?: number } = {}) {
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

const codeByName: { readonly [Name in ErrorName]: CodeOf<Name> } = { ...codes };

export function refuse<const Name extends ErrorName>(name: Name, more?: ConstructorParameters<typeof Refusal>[1]): Refusal<CodeOf<Name>> {
  return new Refusal<CodeOf<Name>>(codeByName[name], more);
}

/** An answer that is sent while it is produced: the output's JSON text in pieces. */
export class Streamed {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}
