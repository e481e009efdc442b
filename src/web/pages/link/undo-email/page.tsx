/** From the mail about a changed address: a button restores the old address (decision 048). */
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
import { removeTokens } from "../../../device/storage.ts";

const route = "link/undo-email";

type Step = { readonly kind: "ask" } | { readonly kind: "done"; readonly email: string } | { readonly kind: "failed" };

function View() {
  const site = useSite();
  const { t, rich, say, locale, services } = site;
  const { api, store, arrival, report } = services;
  const [step, setStep] = useState<Step>({ kind: "ask" });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function undo() {
    setBusy(true);
    setProblem(null);
    try {
      const { email } = await api.call("undoEmail", { body: { token: arrival.get("token") ?? "" }, at: namedBackend(site) });
      spendToken(arrival);
      // The server has ended all sessions, so this device logs out too. The next page's field shows the address.
      removeTokens(store);
      store.set("signupEmail", email);
      setStep({ kind: "done", email });
    } catch (error) {
      const refused = error instanceof ApiError && error.code !== codes.tooMany && error.status < 500;
      if (refused) setStep({ kind: "failed" });
      else setProblem(say(problemKey(error)));
      if (refused && error.code !== codes.invalidLink && error.code !== codes.invalidInput) report(error);
    } finally {
      setBusy(false);
    }
  }

  if (step.kind === "done")
    return (
      <Scene
        route={route}
        figure="wave"
        title={t("page.undo-email.done")}
        text={rich("page.undo-email.doneText", { EMAIL: step.email })}
        action={
          <Button arrow href={buildPath("forgot-password", locale)}>
            {t("page.recover-password.reset")}
          </Button>
        }
      />
    );
  if (step.kind === "failed")
    return (
      <Scene
        route={route}
        figure="shrug"
        title={t("page.undo-email.failed")}
        text={rich("page.undo-email.failedText", { EMAIL: brand.company.email })}
        action={
          <Button arrow href={buildPath("login/link", locale)}>
            {t("page.recover-password.link")}
          </Button>
        }
      />
    );
  return (
    <Scene
      route={route}
      figure="think"
      title={t("page.undo-email.title")}
      text={t("page.undo-email.text")}
      action={
        <Button arrow busy={busy} onClick={() => void undo()}>
          {t("page.undo-email.go")}
        </Button>
      }
    >
      <NeedsScript />
      {problem !== null && <p role="alert">{problem}</p>}
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("page.undo-email.title"),
  description: ({ t }) => t("page.undo-email.text"),
  View,
};
