import { buildPath } from "#core/routes.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { ApiError, ConnectionError } from "../api/client.ts";
import { goToPath } from "../navigation.ts";
import { useSite } from "../siteContext.tsx";

/** Has a login link sent, with the stored target; then on to "link sent", or to "failed" (spec 001 §4, "Login by e-mail link"). */
export function useSendLink(): (email: string) => Promise<void> {
  const { locale, session, services } = useSite();
  const here = { locale, version: session.compiled.definition.id };
  return async (email) => {
    const { api, store, arrival } = services;
    store.set("signupEmail", email);
    const target = targetIn(store.get("questionnaireTarget"));
    const discount = discountIn(arrival.get("discount"));
    try {
      await api.call("loginLink", {
        body: { email, ...(target === null ? {} : { target: String(target) }), ...(discount === null ? {} : { discount }) },
      });
    } catch (error) {
      // No connection and too many tries are told on the spot: what was typed stays.
      if (error instanceof ConnectionError || (error instanceof ApiError && error.code === 1429)) throw error;
      return goToPath(buildPath("login/failed", locale), here);
    }
    goToPath(buildPath("login/link-sent", locale), here);
  };
}
