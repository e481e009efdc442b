/** The provider's own page for an order of the account. Its address is returned to the browser or mailed. */
import type { CodeOf } from "#core/errors.ts";
import { payerOf, payerParameter } from "#core/links.ts";
import { matchPath, buildPath } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import type { Body } from "#core/api.ts";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal, refuse } from "../../base/refusal.ts";
import { namedBackend } from "../../base/settings.ts";
import type { Services } from "./services.ts";
import { openCheckout } from "./openCheckout.ts";

interface LinkCall {
  readonly actor: { readonly accountUuid: string };
  readonly body: Body<"payLink">;
  readonly network: string;
  readonly country: string | null;
  readonly device: string | null;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Where the buyer returns: the page that waits for the payment, in the language and version they left, with a navbar if it had one. A
 * mailed link may be opened on a device without a session, which geo may send to another back end. The login there needs the name of this
 * back end. Somebody else may be logged in there, so the page is told whose payment it is.
 */
function returnUrlOf({ actor, body }: LinkCall, { settings, questionnaires }: Services): string {
  const { returnPath, language } = body;
  const { pathname, searchParams } = new URL(returnPath, settings.publicUrl);
  const match = matchPath(pathname);
  const version = match.kind === "page" ? match.params.version : undefined;
  const locale = match.kind === "page" ? match.locale : language;
  const known = questionnaires.versions.find((each) => each === version) ?? questionnaires.defaultVersion[locale];
  const backend = namedBackend(settings);
  const query = new URLSearchParams({
    ...(searchParams.has("hf") && { hf: "" }),
    ...(backend !== null && { "backend-url": backend }),
    [payerParameter]: payerOf(actor.accountUuid),
  });
  return settings.publicUrl + withQuery(buildPath("questionnaire/post-purchase", locale, { version: known }), query);
}

/** The page's address and the payment's id. The order is the same as the inline form's. */
export async function checkoutLink(
  call: LinkCall,
  services: Services,
): Promise<{ readonly url: string; readonly id: string } | Refusal<CodeOf<"notSold" | "providerFailed" | "tooMany">>> {
  const { productId, language } = call.body;
  const checkout = await openCheckout(call, services, { productId, hosted: { language, returnUrl: returnUrlOf(call, services) } });
  if (checkout instanceof Refusal) return checkout;
  return checkout.hostedUrl === null ? refuse("providerFailed") : { url: checkout.hostedUrl, id: checkout.paymentId };
}
