/**
 * Keeps the reason why a login is shown when the visitor changes the language. Changing the language loads the page anew, and the new entry
 * in the browser's history lacks the reason, so the tab stores it.
 */
import type { Locale } from "#core/locales.ts";
import { matchPath } from "#core/routes.ts";
import { useEffect, useEffectEvent, useState } from "react";
import * as v from "valibot";
import { lastStep, questionPath } from "../navigation.ts";

const key = "loginReason";
const reasonSchema = v.pipe(v.string(), v.parseJson(), v.object({ problem: v.string(), emailQuestion: v.nullable(v.string()) }));

/** Stores the reason of the page that is being left. */
function keepReason(): void {
  const { problem, emailQuestion } = lastStep();
  try {
    if (problem === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ problem, emailQuestion }));
  } catch {
    // Blocked or full: the other language shows the login without a reason.
  }
}

function keptReason(): v.InferOutput<typeof reasonSchema> | null {
  try {
    const kept = v.safeParse(reasonSchema, sessionStorage.getItem(key));
    return kept.success ? kept.output : null;
  } catch {
    return null;
  }
}

/** Whether the previous page was this page in another language. */
function cameByLanguage(locale: Locale): boolean {
  if (document.referrer === "") return false;
  const { origin, pathname } = new URL(document.referrer);
  const [before, here] = [matchPath(pathname), matchPath(location.pathname)];
  return (
    origin === location.origin && before.kind === "page" && here.kind === "page" && before.route === here.route && before.locale !== locale
  );
}

/** Takes the reason over into the browser's history. @returns whether there was one */
function takeReason(locale: Locale): boolean {
  const kept = keptReason();
  if (kept === null || lastStep().problem !== null || !cameByLanguage(locale)) return false;
  const match = matchPath(kept.emailQuestion ?? "");
  const { version, question } = match.kind === "page" ? match.params : {};
  const emailQuestion = version === undefined || question === undefined ? undefined : questionPath(locale, version, Number(question));
  history.replaceState({ ...history.state, problem: kept.problem, emailQuestion }, "");
  return true;
}

/** Keeps the reason for the page in another language, and takes it over from there. */
export function useReasonInLanguages(locale: Locale): void {
  const [, setTaken] = useState(false);
  const take = useEffectEvent(() => setTaken(takeReason(locale)));
  useEffect(() => {
    take();
    addEventListener("pagehide", keepReason);
    return () => removeEventListener("pagehide", keepReason);
  }, []);
}
