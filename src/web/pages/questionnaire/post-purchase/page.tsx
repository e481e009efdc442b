import type { UiKey } from "#content/texts/ui.ts";
import { payerOf, payerParameter } from "#core/links.ts";
import { paymentProviders } from "#core/products.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { NeedsScript } from "../../../account/NeedsScript.tsx";
import { accountOf } from "../../../api/claims.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { isSignedIn, type KeyValueStore } from "../../../device/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";
import { pollPayment } from "./pollPayment.ts";

/** `away`: the device has no session, so the page cannot ask for the result. `others`: the account that is logged in is not the one that paid. */
type Wait = "short" | "long" | "over" | "away" | "others";

const titles = {
  short: "page.post-purchase.title",
  long: "page.post-purchase.title",
  over: "page.post-purchase.failed",
  away: "page.post-purchase.awayTitle",
  others: "page.post-purchase.awayTitle",
} as const satisfies Readonly<Record<Wait, UiKey>>;
const texts = {
  short: "page.post-purchase.text",
  long: "page.post-purchase.slow",
  over: "page.post-purchase.slow",
  away: "page.post-purchase.away",
  others: "page.post-purchase.others",
} as const satisfies Readonly<Record<Wait, UiKey>>;

/** Whether another account has paid than the one that is logged in. */
function isPaidByOther(store: KeyValueStore): boolean {
  const payer = new URLSearchParams(location.search).get(payerParameter);
  const account = accountOf(store.get("token"));
  return payer !== null && account !== null && payerOf(account) !== payer;
}

function View() {
  const { t, locale, session, services } = useSite();
  const { id: version } = session.compiled.definition;
  const [wait, setWait] = useState<Wait>("short");

  const loggedOut = wait === "away" || wait === "others";
  const waiting = wait !== "over" && !loggedOut;
  const poll = useEffectEvent(async (signal: AbortSignal) => {
    // A mailed payment link may be opened on a device without a session, also long after paying. Its visitor learns the result by mail.
    if (!isSignedIn(services.store)) return setWait("away");
    if (isPaidByOther(services.store)) return setWait("others");
    const provider = paymentProviders.find((name) => name === services.store.get("paymentProvider")) ?? "paddlebilling";
    const status = await pollPayment({
      ask: async () => (await services.api.call("paymentStatus", { body: { paymentId: "", paymentProvider: provider } })).status,
      signal,
      onSlow: () => setWait("long"),
    });
    if (signal.aborted) return;
    if (status === "pending") return setWait("over");
    services.store.set("paymentStatus", status);
    // A typed coupon is for one order only. The form removes it when it reports the payment, but the provider's hosted page reports nothing.
    if (status === "completed") services.store.remove("coupon");
    if (status !== "completed") services.track({ eventType: "PurchaseFlow", payload: { stage: "error", error: status } });
    const reactivated = services.store.get("questionnaireSkip") === "reactivate";
    const next = status !== "completed" ? "payment/failed" : reactivated ? "questionnaire/start-level-test" : "questionnaire/thank-you";
    goToPath(
      next === "payment/failed" ? buildPath(next, locale) : buildPath(next, locale, { version }),
      { locale, version },
      { replace: true },
    );
  });
  useEffect(() => {
    if (!waiting) return;
    const stop = new AbortController();
    void poll(stop.signal);
    return () => stop.abort();
  }, [waiting]);

  return (
    <Scene
      route="questionnaire/post-purchase"
      figure="coffee"
      title={t(titles[wait])}
      text={t(texts[wait])}
      {...(wait === "short"
        ? {}
        : {
            action: (
              <>
                {wait === "over" && <Button onClick={() => setWait("long")}>{t("page.post-purchase.retry")}</Button>}
                {loggedOut ? (
                  <Button arrow href={buildPath("login/link", locale)}>
                    {t("shell.nav.login")}
                  </Button>
                ) : (
                  <Button kind={wait === "over" ? "link" : "secondary"} href={buildPath("questionnaire/verify-email", locale, { version })}>
                    {t("page.post-purchase.go")}
                  </Button>
                )}
              </>
            ),
          })}
    >
      <NeedsScript />
      <div role="status">
        {wait === "over" && <span className="sr">{t("page.post-purchase.failed")}</span>}
        {waiting && <Spinner large label={t("payment.processing")} />}
      </div>
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/post-purchase.title"),
  description: ({ t }) => t("meta.questionnaire/post-purchase.description"),
  View,
};
