/** The one place where failures become answers: refusals, invalid input, Fastify's own errors, and what nobody expected. */
import { type ErrorBody, type ErrorCode, errorCodes } from "#core/errors.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import { Refusal, refuse } from "./base/refusal.ts";
import { isUnavailable } from "./store/store.ts";

/** After a 503 without a better estimate. */
const retryAfterBusySeconds = 2;

/** `{ path: validator key }` for input that does not fit; what is not a field's own wording is missing or misshapen. */
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
  const retryAfter = refusal.retryAfterSeconds ?? (refusal.code === 1503 ? retryAfterBusySeconds : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  return reply
    .status(status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(JSON.stringify(body));
}

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 1400,
  403: 1403,
  404: 1404,
  405: 1405,
  413: 1413,
  414: 1400,
  415: 1400,
  503: 1503,
};

/** Logs what is unexpected, once, with the request's id; says nothing of it outside. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isUnavailable(error)) {
    request.log.error({ err: error }, "The database cannot be used");
    return answerRefusal(reply, refuse(1503));
  }
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  const code = codeOfStatus[status] ?? (status < 500 ? 1400 : 1500);
  if (code === 1500) request.log.error({ err: error }, "Unexpected failure");
  return answerRefusal(reply, refuse(code));
}
