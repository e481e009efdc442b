/** What a call can answer besides its plain output. */
import type { ErrorCode } from "#core/errors.ts";

/** An expected failure, as a value. `fields` maps a path to a validation key (or, for 1409, `savedAt` to the newer state's time). */
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

export function refuse<const Code extends ErrorCode>(code: Code, more?: ConstructorParameters<typeof Refusal>[1]): Refusal<Code> {
  return new Refusal(code, more);
}

/** An answer that is produced while it is sent: the output's JSON text in pieces. */
export class Streamed {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}
