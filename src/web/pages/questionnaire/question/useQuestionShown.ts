import type { Question } from "#core/questionnaire/definition.ts";
import { useReducedMotion, useTimeout } from "#ui/motion.ts";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { goToPath } from "../../../navigation.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import { prefetchAhead, questionRedirect } from "./blocks.tsx";
import type { Needs } from "./redirect.ts";

/** Delay before the pictures of following questions are prefetched, ms (spec 001 §9). */
const prefetchDelay = 250;
/** Delay of `scroll: afterDelay`, ms. */
const scrollDelay = 1500;

/** Reports a question as shown, or redirects. @returns the redirect's address, null for none, undefined until hydration */
export function useQuestionShown(question: Question, needs: Needs): string | null | undefined {
  const site = useSite();
  const { live } = useSession();
  // Decided once, before a block's effects run for a visitor who is about to be redirected.
  const [onward, setOnward] = useState<string | null>();
  if (live && onward === undefined) setOnward(questionRedirect(site, question.id, needs));
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
      // If this fails, the question that needs it loads it again.
      prefetchAhead(site, question.id).catch(() => undefined);
      site.moreTexts().catch(() => undefined);
    },
    live ? prefetchDelay : null,
  );
  return onward;
}

/** Scrolls to the actions after a delay or once they can be pressed, as the question defines. */
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
