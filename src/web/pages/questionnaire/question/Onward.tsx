import type { UiKey } from "#content/texts/ui.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { questionPath } from "../../../navigation.ts";
import { useSession, useSite } from "../../../siteContext.tsx";

/**
 * A link on the first question, because an answer here starts a new plan. It leads visitors with earlier answers to where they left, and customers to their
 * plan. They come here because the questionnaire's root, to which campaigns link, leads everybody to the first question (spec 001 §2).
 */
export function Onward() {
  const { t, locale, session, services, moreTexts } = useSite();
  const { state, live } = useSession();
  const { id: version, initialQuestion } = session.compiled.definition;
  const [onward, setOnward] = useState<{ readonly path: string; readonly label: UiKey } | null>(null);
  // Looks once: an answer here moves the state while the question is still on screen.
  const look = useEffectEvent(() => {
    if (services.store.get("paymentStatus") === "completed") {
      const path = buildPath("handle-your-subscription", locale);
      // A first visit does not load this text.
      moreTexts().then(
        () => setOnward({ path, label: "subscription.title" }),
        () => undefined,
      );
    } else if (state.currentQuestionId !== initialQuestion)
      setOnward({ path: questionPath(locale, version, state.currentQuestionId), label: "question.onward" });
  });
  useEffect(() => {
    if (live) look();
  }, [live]);
  return (
    onward !== null && (
      <Button kind="link" href={onward.path}>
        {t(onward.label)}
      </Button>
    )
  );
}
