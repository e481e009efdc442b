/** Every error code of the contract with its HTTP status. The wording per code and locale is in the texts. */
import * as v from "valibot";

export const errorCodes = {
  1000: { status: 422, message: "The input is not valid." },
  1001: { status: 401, message: "E-mail or password wrong." },
  1002: { status: 401, message: "The access token is missing, wrong or expired." },
  1003: { status: 401, message: "The refresh token is unknown, expired or used." },
  1004: { status: 410, message: "The link token or code is unknown, expired or used." },
  1005: { status: 410, message: "The confirm token is unknown or expired." },
  1100: { status: 409, message: "The uuid belongs to another account." },
  1101: { status: 409, message: "The e-mail is registered." },
  1200: { status: 404, message: "No such product or price here." },
  1202: { status: 502, message: "The payment provider did not answer or refused." },
  1400: { status: 400, message: "The request is malformed." },
  1401: { status: 401, message: "The signature is missing, wrong or stale." },
  1403: { status: 403, message: "Not yours." },
  1404: { status: 404, message: "Not found." },
  1405: { status: 405, message: "Wrong method." },
  1409: { status: 409, message: "A newer state is saved already." },
  1413: { status: 413, message: "The request is too large." },
  1429: { status: 429, message: "Too many requests." },
  1500: { status: 500, message: "Something unexpected happened." },
  1503: { status: 503, message: "Not ready, try again soon." },
} as const satisfies Readonly<Record<number, { readonly status: number; readonly message: string }>>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes that any call can answer with, besides those of its contract row. */
export const codesOfEveryCall = [1400, 1404, 1405, 1413, 1500, 1503] as const satisfies readonly ErrorCode[];

/** The body of every error answer. `fields` maps a path (`user.email`) to a validator's key or a value. */
export const errorBodySchema = v.object({
  code: v.number(),
  message: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
});
export type ErrorBody = v.InferOutput<typeof errorBodySchema>;
