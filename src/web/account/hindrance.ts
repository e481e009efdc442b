/** Why a call failed without being refused (no connection, too many, the server), for the page that it led to. */
import * as codes from "#core/errorCodes.ts";
import { ApiError, ConnectionError } from "../api/request.ts";
import { lastStep } from "../navigation.ts";
import { useSession } from "../siteContext.tsx";

/** Nothing was refused: the same may work in a moment. Each is a key of the interface texts. */
const hindrances = ["problem.offline", "problem.tooMany", "problem.unexpected"] as const;
type Hindrance = (typeof hindrances)[number];

/** Null for a refusal, which is final. */
export function hindranceOf(error: unknown): Hindrance | null {
  if (error instanceof ConnectionError || !navigator.onLine) return "problem.offline";
  if (!(error instanceof ApiError)) return null;
  if (error.code === codes.tooMany) return "problem.tooMany";
  return error.status >= 500 ? "problem.unexpected" : null;
}

/** Why this page shows, and the address that led to it. */
export function useFailure(): { readonly problem: Hindrance | null; readonly from: string | null } {
  const { live } = useSession();
  if (!live) return { problem: null, from: null };
  const { problem, from } = lastStep();
  return { problem: hindrances.find((name) => name === problem) ?? null, from };
}
