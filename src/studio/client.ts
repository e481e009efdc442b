/** The studio's HTTP client, typed by the contract. A failed call becomes a `StudioError` with a sentence for the operator. */
import * as codes from "#core/errorCodes.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import type { ErrorCode } from "#core/errors.ts";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import * as v from "valibot";
import { studioCalls, type StudioKey } from "./contract.ts";
import type { OutputOf, Role, Sent, StudioCall } from "./contract/call.ts";

type Row<K extends StudioKey> = (typeof studioCalls)[K];
export type Input<K extends StudioKey> = Sent<Row<K>>;
export type Output<K extends StudioKey> = OutputOf<Row<K>>;
type Method<K extends StudioKey> = Row<K>["method"];
/** Calls that stream events, calls that only read, and calls that change something. */
export type EventsKey = { [K in StudioKey]: Row<K> extends { readonly events: true } ? K : never }[StudioKey];
export type ReadKey = Exclude<{ [K in StudioKey]: Method<K> extends "GET" ? K : never }[StudioKey], EventsKey>;
export type ActionKey = { [K in StudioKey]: Method<K> extends "POST" ? K : never }[StudioKey];

const sentences: Readonly<Record<ErrorCode | 0, string>> = {
  0: "The studio does not answer. Check your connection; nothing was changed.",
  [codes.invalidInput]: "Something is missing or not valid.",
  [codes.wrongCredentials]: "The sign-in was not accepted.",
  [codes.invalidAccessToken]: "Sign in again.",
  [codes.invalidRefreshToken]: "Sign in again.",
  [codes.invalidLink]: "This is no longer valid: it was used or has expired.",
  [codes.invalidConfirmToken]: "This is no longer valid.",
  [codes.uuidTaken]: "That belongs to another account.",
  [codes.emailTaken]: "This address is already in use.",
  [codes.notSold]: "That product is not sold.",
  [codes.providerFailed]: "The payment provider did not answer or refused. Nothing was changed here.",
  [codes.malformed]: "The studio and its server do not understand each other: reload the page.",
  [codes.invalidSignature]: "The signature is wrong.",
  [codes.forbidden]: "Your role does not include this. An admin can change it under Settings.",
  [codes.notFound]: "This was not found. It may have been deleted.",
  [codes.wrongMethod]: "The studio and its server do not understand each other: reload the page.",
  [codes.newerExists]: "Somebody else has changed this meanwhile. Check it again.",
  [codes.tooLarge]: "That is too large.",
  [codes.tooMany]: "Too many requests. Wait a moment.",
  [codes.unexpected]: "The server failed. Operations shows what happened.",
  [codes.notReady]: "The server cannot do this now: it is busy or cannot reach its database.",
};
const isKnown = (code: number): code is ErrorCode => Object.hasOwn(sentences, code);

/** Why a call failed. The message is shown to the operator. */
export class StudioError extends Error {
  override readonly name = "StudioError";
  /** 0 when the server did not answer. */
  readonly code: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The role that the call needs, if the operator's role does not include it. */
  readonly needs: Role | null;
  constructor(code: number, fields: Readonly<Record<string, string>> = {}, role: Role | "anyone" = "anyone") {
    super(sentences[isKnown(code) ? code : 0]);
    this.code = code;
    this.fields = fields;
    this.needs = code === codes.forbidden && role !== "anyone" ? role : null;
  }
  /** There is no session, or it has ended. */
  get signedOut(): boolean {
    return this.code === codes.invalidAccessToken && this.fields["session"] !== "stale";
  }
  /** The session is valid, but the last sign-in is too long ago for calls about people and money. */
  get stale(): boolean {
    return this.code === codes.invalidAccessToken && this.fields["session"] === "stale";
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A call on the page's timer, not the operator's: it does not extend the session. */
  readonly inBackground?: boolean;
}

/** URL of a GET call. */
function addressOf<K extends ReadKey | EventsKey>(key: K, input: Input<K>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input as object)) if (value !== undefined && value !== null) query.set(name, String(value));
  return `/studio/api/${key}${query.size > 0 ? `?${query}` : ""}`;
}

export async function call<K extends StudioKey>(key: K, input: Input<K>, options: CallOptions = {}): Promise<Output<K>> {
  const { method, output, role }: StudioCall = studioCalls[key];
  const url = method === "GET" ? addressOf(key as ReadKey, input as Input<ReadKey>) : `/studio/api/${key}`;
  const response = await fetch(url, {
    method,
    headers: {
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...(options.inBackground === true ? { "x-by-itself": "1" } : {}),
    },
    ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw new StudioError(0);
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const said = v.safeParse(errorBodySchema, body);
    throw said.success ? new StudioError(said.output.code, said.output.fields, role) : new StudioError(0);
  }
  return v.parse(output, body) as Output<K>;
}

/** Fetches a call's data and caches it while the screen shows it. Old data stays until new data has arrived. */
export function useCall<K extends ReadKey>(
  key: K,
  input: Input<K>,
  options: {
    readonly enabled?: boolean;
    /** Refetch interval, ms. A function of the latest data may return false to stop. */
    readonly every?: number | ((latest: Output<K> | undefined) => number | false);
  } = {},
) {
  const { every } = options;
  return useQuery<Output<K>, StudioError>({
    queryKey: [key, input],
    // A refetch on the timer must not extend the session.
    queryFn: ({ signal, client }) =>
      call(key, input, { signal, inBackground: every !== undefined && client.getQueryData([key, input]) !== undefined }),
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
    ...(every === undefined ? {} : { refetchInterval: typeof every === "number" ? every : ({ state }) => every(state.data) }),
  });
}

/** A call that changes something. Afterwards all data on the screen is fetched again. */
export function useAction<K extends ActionKey>(key: K, { onDone }: { readonly onDone?: (output: Output<K>) => void } = {}) {
  const queries = useQueryClient();
  return useMutation<Output<K>, StudioError, Input<K>>({
    mutationKey: [key],
    mutationFn: (input) => call(key, input),
    onSuccess: async (output) => {
      onDone?.(output);
      await queries.invalidateQueries();
    },
  });
}

/** Delay before connecting again to a stream that was refused because too many are open. */
const refusedForMs = 30_000;

/** Subscribes to a stream. `data`: its latest event, null before the first; `since`: when that came; `live`: whether it is connected. */
export function useLive<K extends EventsKey>(
  key: K,
  input: Input<K>,
): { readonly data: Output<K> | null; readonly since: number; readonly live: boolean } {
  const [latest, setLatest] = useState<{ readonly data: Output<K> | null; readonly since: number; readonly live: boolean }>({
    data: null,
    since: 0,
    live: false,
  });
  const url = addressOf(key, input);
  useEffect(() => {
    const { output }: StudioCall = studioCalls[key];
    let source: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    // An EventSource reconnects after a lost connection, but not after a refusal.
    const connect = () => {
      source = new EventSource(url);
      source.addEventListener("message", ({ data }) =>
        setLatest({ data: v.parse(output, JSON.parse(String(data))) as Output<K>, since: Date.now(), live: true }),
      );
      source.addEventListener("error", () => {
        setLatest((before) => ({ ...before, live: false }));
        if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, refusedForMs);
      });
    };
    connect();
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [key, url]);
  return latest;
}
