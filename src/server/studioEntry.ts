/** Who may still sign in to the studio when their network has used up its tries: a stranger at the operators' address must not keep them out. */
import type { Services } from "./handlers/shared/services.ts";
import { openLinkOf } from "./studio/operators/links.ts";
import { operatorOfBrowser } from "./studio/operators/sessions.ts";

const tokenIn = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "token" in body && typeof body.token === "string" ? body.token : null;

/**
 * Whether a caller has what nobody can guess: a link that works, or the cookie of a session, even of one that has ended. Each call counts in
 * a limit of the operator or link. It uses up neither the link nor the session.
 */
export async function maySignInDespiteOthers(
  { store, world, limits, settings }: Services,
  { cookie, body }: { readonly cookie: string | null; readonly body: unknown },
): Promise<boolean> {
  const token = tokenIn(body);
  const link = token === null ? null : await openLinkOf(store.read, world, settings.secretKeys, token);
  const known = link?.id ?? (cookie === null ? null : await operatorOfBrowser(store.read, cookie));
  return known !== null && (await limits.take("studio-known.operator", known)) === null;
}
