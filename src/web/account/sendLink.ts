import { buildPath } from "#core/routes.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { goToPath } from "../navigation.ts";
import { useSite } from "../siteContext.tsx";
import { showFailure, useFailurePage } from "./failure.ts";

/** Has a login link sent, with the stored target; then on to "link sent", or to "failed" (spec 001 §4, "Login by e-mail link"). */
export function useSendLink(): (email: string) => Promise<void> {
  const site = useSite();
  const { locale, session, services } = site;
  useFailurePage("login/failed");
  return async (email) => {
    const { api, store, arrival } = services;
    store.set("signupEmail", email);
    const target = targetIn(store.get("questionnaireTarget"));
    const discount = discountIn(arrival.get("discount") ?? store.get("discount"));
    try {
      await api.call("loginLink", {
        body: { email, ...(target === null ? {} : { target: String(target) }), ...(discount === null ? {} : { discount }) },
      });
    } catch (error) {
      return showFailure(site, "login/failed", error);
    }
    goToPath(buildPath("login/link-sent", locale), { locale, version: session.compiled.definition.id });
  };
}
