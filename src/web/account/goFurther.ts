import type { Session as ServerSession } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { useState } from "react";
import { newPair } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import { removeTokens } from "../device/storage.ts";
import { goToPath } from "../navigation.ts";
import type { Services } from "../services.ts";
import { useSite } from "../siteContext.tsx";
import { goOn, storeSession } from "./afterLogin.ts";
import { type TemporaryFailure, temporaryFailureOf } from "./temporaryFailure.ts";

/**
 * The stored session with new tokens. If another session begins meanwhile, here or in another tab, its new tokens count. A refused refresh ends the login
 * (spec 000 §4).
 */
export async function freshSession({ api, store }: Pick<Services, "api" | "store">): Promise<ServerSession> {
  const used = store.get("refreshToken");
  const replaced = () => store.get("refreshToken") !== used;
  try {
    const session = await newPair(store, used ?? "", (body) => api.call("refresh", { body }));
    if (!replaced()) return session;
  } catch (error) {
    if (temporaryFailureOf(error) !== null) throw error;
    if (!replaced()) {
      removeTokens(store);
      throw error;
    }
  }
  return freshSession({ api, store });
}

/** Goes on with the questionnaire as after a login: with the session of a link if there is one, else with the one stored here. */
export function useGoingFurther(entered: ServerSession | null) {
  const site = useSite();
  const { report } = site.services;
  const [busy, setBusy] = useState(false);
  /** Why it failed. */
  const [problem, setProblem] = useState<TemporaryFailure | null>(null);

  /** Takes over the account as it is now at the server. If that fails, the next refresh or `goFurther` does it. */
  async function takeOver() {
    try {
      storeSession(site, await freshSession(site.services));
    } catch (error) {
      if (temporaryFailureOf(error) === null && !(error instanceof ApiError)) report(error);
    }
  }

  async function goFurther() {
    setBusy(true);
    setProblem(null);
    try {
      const session = entered ?? (await freshSession(site.services));
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
