/** Temporary failures of calls: no connection, rate limit or server error. Passed on to the page that shows the failure. */
import * as codes from "#core/errorCodes.ts";
import { ApiError, ConnectionError } from "../api/request.ts";
import { lastStep } from "../navigation.ts";
import { useSession } from "../siteContext.tsx";

/** Text keys of temporary failures: the same call may work later. */
const temporaryFailures = ["problem.offline", "problem.tooMany", "problem.unexpected"] as const;
export type TemporaryFailure = (typeof temporaryFailures)[number];

/** The temporary failure; null for a final refusal. */
export function temporaryFailureOf(error: unknown): TemporaryFailure | null {
  if (error instanceof ConnectionError || !navigator.onLine) return "problem.offline";
  if (!(error instanceof ApiError)) return null;
  if (error.code === codes.tooMany) return "problem.tooMany";
  return error.status >= 500 ? "problem.unexpected" : null;
}

/** The failure that led to this page, and the previous address. */
export function useFailure(): { readonly problem: TemporaryFailure | null; readonly from: string | null } {
  const { live } = useSession();
  if (!live) return { problem: null, from: null };
  const { problem, from } = lastStep();
  return { problem: temporaryFailures.find((name) => name === problem) ?? null, from };
}
