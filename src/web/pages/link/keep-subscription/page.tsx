/** From the mail about a cancellation without login: a button takes the cancellation back (decision 211). */
import * as codes from "#core/errorCodes.ts";
import { brand } from "#content/brand.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import { problemKey } from "../../../account/EmailScene.tsx";
import { namedBackend } from "../../../account/afterLogin.ts";
import { NeedsScript } from "../../../account/NeedsScript.tsx";
import { spendToken } from "../../../device/arrival.ts";
import { ApiError } from "../../../api/request.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

const route = "link/keep-subscription";

function View() {
  const site = useSite();
  const { t, rich, say, locale, services } = site;
  const { api, arrival } = services;
  const [step, setStep] = useState<"ask" | "done" | "failed">("ask");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function keep() {
    setBusy(true);
    setProblem(null);
    try {
      await api.call("keepSubscription", { body: { token: arrival.get("token") ?? "" }, at: namedBackend(site) });
      spendToken(arrival);
      setStep("done");
    } catch (error) {
      const opensNothing = error instanceof ApiError && (error.code === codes.invalidLink || error.code === codes.invalidInput);
      if (opensNothing) setStep("failed");
      else setProblem(say(problemKey(error)));
    } finally {
      setBusy(false);
    }
  }

  if (step !== "ask")
    return (
      <Scene
        route={route}
        figure={step === "done" ? "wave" : "shrug"}
        title={t(step === "done" ? "page.keep-subscription.done" : "page.keep-subscription.failed")}
        text={
          step === "done" ? t("page.keep-subscription.doneText") : rich("page.keep-subscription.failedText", { EMAIL: brand.company.email })
        }
        action={
          <Button arrow href={buildPath("handle-your-subscription", locale)}>
            {t("page.keep-subscription.see")}
          </Button>
        }
      />
    );
  return (
    <Scene
      route={route}
      figure="think"
      title={t("page.keep-subscription.title")}
      text={t("page.keep-subscription.text")}
      action={
        <Button arrow busy={busy} onClick={() => void keep()}>
          {t("page.keep-subscription.go")}
        </Button>
      }
    >
      <NeedsScript />
      {problem !== null && <p role="alert">{problem}</p>}
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("page.keep-subscription.title"),
  description: ({ t }) => t("page.keep-subscription.text"),
  View,
};
