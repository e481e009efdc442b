import type { Question } from "#core/questionnaire/definition.ts";
import { useReducedMotion, useTimeout } from "#ui/motion.ts";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { goToPath } from "../../../navigation.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import { fetchAhead, wayOnward } from "./blocks.tsx";
import type { Needs } from "./onward.ts";

/** Pictures of what can follow are fetched this long after a question shows, ms (spec 001 §9). */
const prefetchDelay = 250;
/** `scroll: afterDelay` scrolls to the actions after this, ms. */
const scrollDelay = 1500;

/** A question comes to life: it is told as shown, or leads on at once. @returns where it only leads on to */
export function useShowing(question: Question, needs: Needs): string | null | undefined {
  const site = useSite();
  const { live } = useSession();
  // Decided once, before any block comes to life and does something for a visitor who is about to be moved on.
  const [onward, setOnward] = useState<string | null>();
  if (live && onward === undefined) setOnward(wayOnward(site, needs));
  const show = useEffectEvent(() => {
    if (typeof onward === "string")
      return goToPath(onward, { locale: site.locale, version: site.session.compiled.definition.id }, { replace: true });
    site.session.shown(question.id);
    if (needs.pays && needs.signedIn) site.services.offer.load();
  });
  useEffect(() => {
    if (live) show();
  }, [live]);
  useTimeout(
    () => {
      // What fails to load now is fetched again by the question that needs it.
      fetchAhead(site, question.id).catch(() => undefined);
      site.moreTexts().catch(() => undefined);
    },
    live ? prefetchDelay : null,
  );
  return onward;
}

/** Brings the actions into view after a while, or as soon as they can be pressed: as the question says. */
export function useScrollToActions({ scroll }: Question, passed: boolean): RefObject<HTMLDivElement | null> {
  const { live } = useSession();
  const actions = useRef<HTMLDivElement>(null);
  const reduced = useReducedMotion();
  const scrollToActions = useEffectEvent(() => actions.current?.scrollIntoView({ block: "end", behavior: reduced ? "auto" : "smooth" }));
  useTimeout(() => scrollToActions(), live && scroll === "afterDelay" ? scrollDelay : null);
  const passedBefore = useRef(passed);
  const scrollsOnPass = scroll === "onPass";
  useEffect(() => {
    if (scrollsOnPass && passed && !passedBefore.current) scrollToActions();
    passedBefore.current = passed;
  }, [passed, scrollsOnPass]);
  return actions;
}
