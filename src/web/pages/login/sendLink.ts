import { buildPath } from "#core/routes.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { namedBackend } from "../../account/afterLogin.ts";
import { showPage } from "../../navigation.ts";
import { useSite } from "../../siteContext.tsx";
import { showFailure, useFailurePage } from "./failure.ts";

/** Sends a login link with the stored target. Resolves with whether it succeeded, else shows the failed page (spec 001 §4, "Login by e-mail link"). */
export function useLinkMail(): (email: string) => Promise<boolean> {
  const site = useSite();
  useFailurePage("login/failed");
  return async (email) => {
    const { api, store, arrival } = site.services;
    store.set("signupEmail", email);
    const target = targetIn(store.get("questionnaireTarget"));
    const discount = discountIn(arrival.get("discount") ?? store.get("discount"));
    try {
      await api.call("loginLink", {
        body: { email, ...(target === null ? {} : { target: String(target) }), ...(discount === null ? {} : { discount }) },
        at: namedBackend(site),
      });
      return true;
    } catch (error) {
      showFailure(site, "login/failed", error);
      return false;
    }
  };
}

/** Sends a login link, then shows the page "link sent", in place: a device that cannot store the address would forget it, and the mail's code needs it. */
export function useSendLink(): (email: string) => Promise<void> {
  const { locale } = useSite();
  const mail = useLinkMail();
  return async (email) => {
    if (await mail(email)) showPage(buildPath("login/link-sent", locale));
  };
}
