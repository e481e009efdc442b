/** A fake API for tests: it records each call and answers it with a function of the input. */
import type { Endpoint, Output } from "#core/api.ts";
import { errorCodes, type ErrorCode } from "#core/errors.ts";
import type { Api } from "../api/client.ts";
import { ApiError } from "../api/request.ts";

type Answers = { readonly [K in Endpoint]?: (input: unknown, time: number) => Output<K> | Promise<Output<K>> };

export interface FakeApi extends Api {
  readonly calls: readonly (readonly [Endpoint, unknown])[];
  /** The endpoints called while the page was being left. */
  readonly calledWhenLeaving: readonly Endpoint[];
  /** Calls to another back end than the visitor's: the endpoint, and that back end's address. */
  readonly calledElsewhere: readonly (readonly [Endpoint, string])[];
}

/** The API's error with this code. */
export function refusal(code: ErrorCode, fields: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(errorCodes[code].status, "/api/test", code, errorCodes[code].message, fields);
}

/** @param answers by endpoint: a function from a call's input and the number of earlier calls to its answer. A call without an answer fails the test */
export function fakeApi(answers: Answers): FakeApi {
  const calls: [Endpoint, unknown][] = [];
  const calledWhenLeaving: Endpoint[] = [];
  const calledElsewhere: [Endpoint, string][] = [];
  return {
    calls,
    calledWhenLeaving,
    calledElsewhere,
    async call(endpoint, input = {}) {
      const time = calls.filter(([name]) => name === endpoint).length;
      calls.push([endpoint, input.body ?? input.query ?? null]);
      if (input.leaving === true) calledWhenLeaving.push(endpoint);
      if (input.at !== undefined) calledElsewhere.push([endpoint, input.at]);
      const answer = answers[endpoint];
      if (answer === undefined) throw new Error(`No answer for ${endpoint}`);
      return answer(input.body ?? input.query, time);
    },
  };
}
