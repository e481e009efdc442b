/** The one place where failures become answers: refusals, invalid input, Fastify's own errors, and unexpected ones. */
import * as codes from "#core/errorCodes.ts";
import type { ErrorBody } from "#core/errorBody.ts";
import { type ErrorName, errorCodes } from "#core/errors.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import { Refusal, refuse } from "./base/refusal.ts";
import { createLogLimit } from "./base/logLimit.ts";
import { isUnavailable } from "./store/store.ts";

/** The Retry-After of a 503 without a better estimate. */
const retryAfterBusySeconds = 2;

/** `{ path: validation key }` for invalid input. A field without a message of its own counts as missing or malformed. */
export function fieldsOf(issues: readonly v.BaseIssue<unknown>[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const path = v.getDotPath(issue) ?? "";
    fields[path] ??= issue.message.startsWith("validator_")
      ? issue.message
      : issue.input === undefined
        ? "validator_required"
        : "validator_format";
  }
  return fields;
}

export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, message } = errorCodes[refusal.code];
  const body: ErrorBody = { code: refusal.code, message, ...(refusal.fields ? { fields: { ...refusal.fields } } : {}) };
  const retryAfter = refusal.retryAfterSeconds ?? (refusal.code === codes.notReady ? retryAfterBusySeconds : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  return reply
    .status(status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(JSON.stringify(body));
}

const errorOfStatus: Readonly<Record<number, ErrorName>> = {
  400: "malformed",
  403: "forbidden",
  404: "notFound",
  405: "wrongMethod",
  413: "tooLarge",
  414: "malformed",
  415: "malformed",
  503: "notReady",
};

type AnswerError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Logs an unexpected error once, with the request's id, and a database that is down a few times a minute. The answer reveals nothing about it. */
export function createAnswerError(): AnswerError {
  const linesLeftOut = createLogLimit();
  return (error, request, reply) => {
    if (isUnavailable(error)) {
      const leftOut = linesLeftOut();
      if (leftOut !== null) request.log.error({ err: error, leftOut }, "The database cannot be used");
      return answerRefusal(reply, refuse("notReady"));
    }
    const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
    const name = errorOfStatus[status] ?? (status < 500 ? "malformed" : "unexpected");
    if (name === "unexpected") request.log.error({ err: error }, "Unexpected failure");
    return answerRefusal(reply, refuse(name));
  };
}
