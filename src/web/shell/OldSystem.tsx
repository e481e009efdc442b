/** The warning about an old system. It appears once per device, with the first option that the visitor chooses. It needs no consent (spec 001 §4, "Submit flow", 1). */
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import * as v from "valibot";
import type { Answered } from "./answered.ts";
import { focusPage } from "./focusPage.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { type BrowserAgent, isOldSystem } from "./oldSystem.ts";
import styles from "./oldSystem.module.css";

interface OldSystemProps {
  /** Watched since the session started: the visitor may answer before this component has loaded. */
  readonly answered: Answered;
}

export function OldSystem({ answered }: OldSystemProps) {
  const { t, services } = useSite();
  const { state } = useSession();
  const [old, setOld] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);

  const look = useEffectEvent(() => {
    if (services.store.get("oldOSWarning") === null) void isOldSystem(agent()).then(setOld);
  });
  useEffect(() => look(), []);
  const due = useSyncExternalStore(answered.subscribe, answered.snapshot) && old;
  const show = useEffectEvent(() => {
    // Shown meanwhile, in another tab or on a page after this one, which Back has restored.
    if (services.store.get("oldOSWarning") !== null) return setOld(false);
    services.store.set("oldOSWarning", "true");
    services.track({ eventType: "QuestionnairePopupShown", payload: { popupId: "OldOS", questionId: state.currentQuestionId } });
    dialog.current?.showModal();
  });
  useEffect(() => {
    if (due) show();
  }, [due]);

  if (!due) return null;
  return (
    <dialog ref={dialog} className={styles["dialog"]} aria-labelledby="old-system" onClose={focusPage}>
      <h2 id="old-system">{t("question.oldOs.title")}</h2>
      <p>{t("question.oldOs.text")}</p>
      <Button onClick={() => dialog.current?.close()}>{t("question.oldOs.go")}</Button>
    </dialog>
  );
}

const agentData = v.object({
  userAgentData: v.custom<NonNullable<BrowserAgent["userAgentData"]>>(
    (value) => typeof value === "object" && value !== null && "getHighEntropyValues" in value,
  ),
});

/** Client hints are missing from TypeScript's DOM types and from some browsers. */
function agent(): BrowserAgent {
  const { userAgent, maxTouchPoints } = navigator;
  const hints = v.safeParse(agentData, navigator);
  return { userAgent, maxTouchPoints, ...(hints.success ? hints.output : {}) };
}
