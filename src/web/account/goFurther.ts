import type { Session as ServerSession } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { useState } from "react";
import { newPair } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import { removeTokens } from "../device/storage.ts";
import { goToPath } from "../navigation.ts";
import { useSite } from "../siteContext.tsx";
import { goOn, storeSession } from "./afterLogin.ts";
import { type TemporaryFailure, temporaryFailureOf } from "./temporaryFailure.ts";

/** Goes on with the questionnaire as after a login: with the session of a link if there is one, else with the one stored here. */
export function useGoingFurther(entered: ServerSession | null) {
  const site = useSite();
  const { api, store, report } = site.services;
  const [busy, setBusy] = useState(false);
  /** Why it failed. */
  const [problem, setProblem] = useState<TemporaryFailure | null>(null);

  /** A refused refresh ends the login (spec 000 §4). */
  const refreshed = () =>
    newPair(store, store.get("refreshToken") ?? "", (body) => api.call("refresh", { body })).catch((error: unknown) => {
      if (temporaryFailureOf(error) === null) removeTokens(store);
      throw error;
    });

  /** Takes over the account as it is now at the server. If that fails, the next refresh or `goFurther` does it. */
  async function takeOver() {
    try {
      storeSession(site, await refreshed());
    } catch (error) {
      if (temporaryFailureOf(error) === null && !(error instanceof ApiError)) report(error);
    }
  }

  async function goFurther() {
    setBusy(true);
    setProblem(null);
    try {
      const session = entered ?? (await refreshed());
      storeSession(site, session);
      await goOn(site, session, { replace: true });
    } catch (error) {
      setBusy(false);
      const failure = temporaryFailureOf(error);
      // Pressing the button again goes on.
      if (failure !== null) return setProblem(failure);
      if (!(error instanceof ApiError)) report(error);
      goToPath(buildPath("login/link", site.locale), { locale: site.locale, version: site.session.compiled.definition.id });
    }
  }

  return { busy, problem, takeOver, goFurther: () => void goFurther() };
}
