/** The provider's own page for an order of the account: given to the browser, or mailed. */
import { matchPath, buildPath } from "#core/routes.ts";
import type { Body } from "#core/api.ts";
import { type Refusal, refuse } from "../handler.ts";
import type { Services } from "../parts.ts";
import { mayOpenCheckout } from "./checkoutLimits.ts";

interface LinkCall {
  readonly actor: { readonly accountUuid: string };
  readonly body: Body<"payLink">;
  readonly network: string;
}

/** Where the buyer comes back to: the page that waits for the payment, in the language and version they left. */
function returnUrlOf({ returnPath, language }: Body<"payLink">, { settings, questionnaires }: Services): string {
  const match = matchPath(returnPath);
  const version = match.kind === "page" ? match.params.version : undefined;
  const locale = match.kind === "page" ? match.locale : language;
  const known = version !== undefined && questionnaires.versions.includes(version) ? version : questionnaires.defaultVersion[locale];
  return `${settings.publicUrl}${buildPath("questionnaire/post-purchase", locale, { version: known })}`;
}

/** The address and the payment's id; the same order as the form's. */
export async function checkoutLink(
  call: LinkCall,
  services: Services,
): Promise<{ readonly url: string; readonly id: string } | Refusal<1200 | 1202 | 1429>> {
  const { actor, body } = call;
  const result = await services.payments.open({
    accountUuid: actor.accountUuid,
    productId: body.productId,
    couponCode: body.couponCode,
    hosted: { language: body.language, returnUrl: returnUrlOf(body, services) },
    mayCreate: mayOpenCheckout(call, services),
  });
  switch (result.kind) {
    case "open":
      return result.checkout.hostedUrl === null ? refuse(1202) : { url: result.checkout.hostedUrl, id: result.checkout.paymentId };
    case "not sold":
      return refuse(1200);
    case "provider failed":
      return refuse(1202);
    case "refused":
      return result.refusal;
  }
}
