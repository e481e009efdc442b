/** Every error code of the contract with its HTTP status. The wording per code and locale is in the texts. */
import * as codes from "./errorCodes.ts";

export const errorCodes = {
  [codes.invalidInput]: { status: 422, message: "The input is not valid." },
  [codes.wrongCredentials]: { status: 401, message: "E-mail or password wrong." },
  [codes.invalidAccessToken]: { status: 401, message: "The access token is missing, wrong or expired." },
  [codes.invalidRefreshToken]: { status: 401, message: "The refresh token is unknown, expired or used." },
  [codes.invalidLink]: { status: 410, message: "The link token or code is unknown, expired or used." },
  [codes.invalidConfirmToken]: { status: 410, message: "The confirm token is unknown or expired." },
  [codes.uuidTaken]: { status: 409, message: "The uuid belongs to another account." },
  [codes.emailTaken]: { status: 409, message: "The e-mail is registered." },
  [codes.notSold]: { status: 404, message: "No such product or price here." },
  [codes.providerFailed]: { status: 502, message: "The payment provider did not answer or refused." },
  [codes.malformed]: { status: 400, message: "The request is malformed." },
  [codes.invalidSignature]: { status: 401, message: "The signature is missing, wrong or stale." },
  [codes.forbidden]: { status: 403, message: "Not yours." },
  [codes.notFound]: { status: 404, message: "Not found." },
  [codes.wrongMethod]: { status: 405, message: "Wrong method." },
  [codes.newerExists]: { status: 409, message: "A newer state is saved already." },
  [codes.tooLarge]: { status: 413, message: "The request is too large." },
  [codes.tooMany]: { status: 429, message: "Too many requests." },
  [codes.unexpected]: { status: 500, message: "Something unexpected happened." },
  [codes.notReady]: { status: 503, message: "Not ready, try again soon." },
} as const satisfies Readonly<Record<(typeof codes)[keyof typeof codes], { readonly status: number; readonly message: string }>>;

export type ErrorCode = keyof typeof errorCodes;
export type ErrorName = keyof typeof codes;
/** The number of an error on the wire. */
export type CodeOf<Name extends ErrorName> = (typeof codes)[Name];

/** Codes that any call can answer with, besides those of its contract row. */
export const codesOfEveryCall = [
  codes.malformed,
  codes.notFound,
  codes.wrongMethod,
  codes.tooLarge,
  codes.tooMany,
  codes.unexpected,
  codes.notReady,
] as const satisfies readonly ErrorCode[];
