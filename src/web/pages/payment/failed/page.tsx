import { brand } from "#content/brand.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent } from "react";
import { useOwnVersion } from "../../../account/version.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

/** The pages for a payment that has gone well since, by its status. */
const onward = { completed: "questionnaire/thank-you", pending: "questionnaire/post-purchase" } as const;

/** Leads on a buyer who has paid at another try: Back leads here, where nothing would seem to be charged. */
function useOnward(): void {
  const { locale, session, services } = useSite();
  const { live } = useSession();
  const version = useOwnVersion();
  const look = useEffectEvent(() => {
    const status = services.store.get("paymentStatus");
    if (!isSignedIn(services.store) || (status !== "completed" && status !== "pending")) return;
    const here = { locale, version: session.compiled.definition.id };
    goToPath(buildPath(onward[status], locale, { version }), here, { replace: true });
  });
  useEffect(() => {
    if (!live) return undefined;
    look();
    const shown = () => look();
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, [live]);
}

function View() {
  const { t, locale, services } = useSite();
  const { live } = useSession();
  useOnward();
  // The server calls a payment failed that has arrived with another amount than the order's (decision 086). Another try would charge twice.
  if (live && services.store.get("paymentStatus") === "failed") return <Checking />;
  // The stored retry address, else the home page (spec 001 §2).
  const stored = live ? services.store.get("paymentRetryUrl") : null;
  const back = stored !== null && /^\/(?![/\\])/.test(stored) ? stored : buildPath("home", locale);
  return (
    <Scene
      route="payment/failed"
      figure="think"
      title={t("page.payment-failed.title")}
      text={t("page.payment-failed.text")}
      action={
        <Button arrow href={back}>
          {t("page.payment-failed.go")}
        </Button>
      }
    />
  );
}

function Checking() {
  const { t } = useSite();
  return (
    <Scene
      route="payment/failed"
      figure="think"
      title={t("page.payment-failed.checking")}
      text={t("page.payment-failed.checkingText")}
      action={
        <Button icon="mail" href={`mailto:${brand.company.email}`}>
          {t("page.subscription.write")}
        </Button>
      }
    />
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.payment/failed.title"),
  description: ({ t }) => t("meta.payment/failed.description"),
  View,
};
