import { buildPath } from "#core/routes.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { namedBackend } from "../../account/afterLogin.ts";
import type { Mailed } from "../../account/SendAgain.tsx";
import { showPage } from "../../navigation.ts";
import { useSite } from "../../siteContext.tsx";
import { showFailure, useFailurePage } from "./failure.ts";

/** Sends a login link with the stored target. A failure shows the failed page (spec 001 §4, "Login by e-mail link"). */
export function useLinkMail(): (email: string) => Promise<Mailed> {
  const site = useSite();
  useFailurePage("login/failed");
  return async (email) => {
    const { api, store, arrival } = site.services;
    store.set("signupEmail", email);
    const target = targetIn(store.get("questionnaireTarget"));
    const discount = discountIn(arrival.get("discount") ?? store.get("discount"));
    try {
      const { many } = await api.call("loginLink", {
        body: { email, ...(target === null ? {} : { target: String(target) }), ...(discount === null ? {} : { discount }) },
        at: namedBackend(site),
      });
      return many === true ? "many" : "sent";
    } catch (error) {
      showFailure(site, "login/failed", error);
      return "failed";
    }
  };
}

/** Sends a login link, then shows the page "link sent". It shows it in place: the mail's code needs the address, which a device without storage would forget. */
export function useSendLink(): (email: string) => Promise<void> {
  const { locale } = useSite();
  const mail = useLinkMail();
  return async (email) => {
    const mailed = await mail(email);
    if (mailed !== "failed") showPage(buildPath("login/link-sent", locale), mailed === "many" ? { problem: "page.link-sent.many" } : {});
  };
}
