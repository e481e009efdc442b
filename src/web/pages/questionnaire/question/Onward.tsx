import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { questionPath } from "../../../navigation.ts";
import { useSession, useSite } from "../../../siteContext.tsx";

/**
 * On the first question: leads whoever has answers from an earlier visit to where they left. The questionnaire's root, to which campaigns link, leads
 * everybody to the first question (spec 001 §2).
 */
export function Onward() {
  const { t, locale, session, services } = useSite();
  const { state, live } = useSession();
  const { id: version, initialQuestion } = session.compiled.definition;
  const [left, setLeft] = useState(initialQuestion);
  // Looks once: an answer here moves the state while the question is still on screen.
  const look = useEffectEvent(() => {
    if (services.store.get("paymentStatus") !== "completed") setLeft(state.currentQuestionId);
  });
  useEffect(() => {
    if (live) look();
  }, [live]);
  return (
    left !== initialQuestion && (
      <Button kind="link" href={questionPath(locale, version, left)}>
        {t("question.onward")}
      </Button>
    )
  );
}
