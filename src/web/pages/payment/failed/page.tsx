import { brand } from "#content/brand.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, services } = useSite();
  const { live } = useSession();
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
