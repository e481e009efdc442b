/** Logs refused calls and logins. A network appears by a name that hides its address. */
import type { Endpoint } from "#core/api.ts";
import * as codes from "#core/errorCodes.ts";
import type { ErrorCode } from "#core/errors.ts";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { keysKept } from "./base/counters.ts";
import { networkNames } from "./base/keys.ts";
import { siteOf } from "./base/visitor.ts";
import type { World } from "./base/world.ts";

/** Refusals that an intruder would get. The log shows operators who gets them often. */
const securityCodes: ReadonlySet<ErrorCode> = new Set([
  codes.wrongCredentials,
  codes.invalidAccessToken,
  codes.invalidRefreshToken,
  codes.invalidLink,
  codes.invalidConfirmToken,
  codes.invalidSignature,
  codes.forbidden,
  codes.tooMany,
]);
/**
 * The refusals with one code that have a line each, for one network in a minute. The others of that minute are counted in one line. With a line for
 * each, one network filled a disk with 130 GB a day, and a full disk closes the site to everybody.
 */
const linesInAMinute = 30;
const minuteMs = 60_000;
const opensSession: ReadonlySet<Endpoint> = new Set(["login", "token"]);

interface Refused {
  readonly call: string;
  readonly network: string;
  readonly code: ErrorCode;
  /** Whose session made the call. */
  readonly account?: string | undefined;
  readonly operator?: string | undefined;
}

export interface AccessLog {
  readonly refused: (request: FastifyRequest, refused: Refused) => void;
  readonly granted: (request: FastifyRequest, granted: { readonly call: Endpoint; readonly network: string }) => void;
}

interface Parts {
  readonly log: FastifyBaseLogger;
  readonly secretKeys: readonly string[];
  readonly now: World["now"];
  /** The line's text. */
  readonly refusedCall?: string;
}

export function createAccessLog({ log, secretKeys, now, refusedCall = "A call was refused" }: Parts): AccessLog {
  const nameOf = networkNames(secretKeys);
  let refusals = new Map<string, { readonly site: string; readonly code: ErrorCode; times: number }>();
  let began = now();

  function beginMinute(): void {
    for (const { site, code, times } of refusals.values())
      if (times > linesInAMinute)
        log.warn(
          { refused: code, network: nameOf(site), times: times - linesInAMinute },
          "Further calls of this network were refused in the same minute",
        );
    refusals = new Map();
    began = now();
  }

  /** @returns whether the refusal has a line of its own */
  function hasLine(network: string, code: ErrorCode): boolean {
    if (Math.abs(now() - began) >= minuteMs || refusals.size >= keysKept) beginMinute();
    const site = siteOf(network);
    const key = `${code} ${site}`;
    const counted = refusals.get(key) ?? { site, code, times: 0 };
    counted.times++;
    refusals.set(key, counted);
    return counted.times <= linesInAMinute;
  }

  return {
    refused: (request, { call, network, code, account, operator }) => {
      if (!securityCodes.has(code) || !hasLine(network, code)) return;
      const line = { call, refused: code, network: nameOf(network), account, operator };
      if (code === codes.invalidSignature) request.log.warn(line, "A webhook without a valid signature was refused");
      else request.log.info(line, refusedCall);
    },
    granted: (request, { call, network }) => {
      if (opensSession.has(call)) request.log.info({ call, network: nameOf(network) }, "Somebody logged in");
    },
  };
}
