import type { SubscriptionView } from "#core/api.ts";
import { formatsFor } from "#core/formats.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { IntoTheAppList } from "../../../account/AfterPayingList.tsx";
import type { Page } from "../../../page.ts";
import { planName } from "../../../payment/planName.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { storeLinkFor } from "../../../device/storeLink.ts";
import { maskedEmail } from "./maskedEmail.ts";

/** The plan of a customer who has just reactivated: the page confirms it and names the next charge. */
function useComeBack(): SubscriptionView | null {
  const { services } = useSite();
  const { live } = useSession();
  const [plan, setPlan] = useState<SubscriptionView | null>(null);
  const ask = useEffectEvent(async () => {
    if (services.store.get("questionnaireSkip") !== "reactivate" || !isSignedIn(services.store)) return;
    const { subscription } = await services.api.call("subscription").catch(() => ({ subscription: null }));
    setPlan(subscription?.status === "active" ? subscription : null);
  });
  useEffect(() => {
    if (live) void ask();
  }, [live]);
  return plan;
}

function View() {
  const { t, rich, say, client, locale } = useSite();
  const formats = formatsFor(locale);
  const { state, context, live } = useSession();
  const back = useComeBack();
  const store = storeLinkFor(client.storeLinks, context.platform);
  const at = useAfterPaying();
  // A page of another version than the account's has not taken over its state.
  const email = at.address?.email ?? state.user.email;
  // On a computer the learning app runs in the browser. Before hydration the page does not know its device.
  const isComputer = live && context.platform === "other";
  return (
    <Scene
      route="questionnaire/start-level-test"
      figure="phone-app"
      title={t(back === null ? "page.start-level-test.title" : "page.start-level-test.back")}
      text={
        back === null
          ? t("page.start-level-test.text")
          : rich("page.start-level-test.back.text", {
              PLAN: planName(back, say),
              PRICE: formats.money(back.price, back.currency),
              DATE: back.nextCharge === null ? "none" : formats.longDate(dayIn(Date.parse(back.nextCharge), back.timeZone)),
            })
      }
      {...(store === null
        ? {}
        : {
            action: (
              <>
                <Button icon="download" href={store} rel="noopener">
                  {t("page.start-level-test.go")}
                </Button>
                {at.hasApp || isComputer ? (
                  <Button kind="link" href={buildPath("app/dashboard", locale)} onClick={at.sayHasApp}>
                    {t(at.hasApp ? "page.subscription.app" : "page.start-level-test.computer")}
                  </Button>
                ) : (
                  <Button kind="link" onClick={at.sayHasApp}>
                    {t("page.start-level-test.hasApp")}
                  </Button>
                )}
              </>
            ),
          })}
    >
      <IntoTheAppList
        at={at.email === undefined ? at : { ...at, email: maskedEmail(at.email) }}
        steps={(lesson) => [
          {
            title: t("page.start-level-test.step1"),
            text: t(isComputer ? "page.start-level-test.step1.computer" : "page.start-level-test.step1.text"),
            done: at.hasApp,
          },
          {
            title: t("page.start-level-test.step2"),
            text:
              email === undefined
                ? t("page.start-level-test.step2.plain")
                : rich("page.start-level-test.step2.text", { EMAIL: maskedEmail(email) }),
          },
          { title: t("page.start-level-test.step3"), text: t("page.start-level-test.step3.text") },
          { title: t("page.start-level-test.step4"), text: lesson },
        ]}
      />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/start-level-test.title"),
  description: ({ t }) => t("meta.questionnaire/start-level-test.description"),
  View,
};
