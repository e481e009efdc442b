/** A button that sends a mail again. The server silently allows one per minute. Pressed earlier, the button says what to do meanwhile. */
import { askedLinkLife, linkResendDelay } from "#core/links.ts";
import { Button } from "#ui/Button.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { useSite } from "../siteContext.tsx";
import styles from "./account.module.css";

/** `many`: so many were asked for that perhaps none went out. The server does not say more, because that would reveal whether there is an account. */
export type Mailed = "sent" | "many" | "failed";

interface SendAgainProps {
  readonly purpose: keyof typeof askedLinkLife;
  /** It shows its own errors. */
  readonly send: () => Promise<Mailed>;
}

/** Text keys for the earlier mail, whose link still works (decision 101). */
const ofEarlier = { login: "page.link-sent.resentCode", reset: "page.link-sent.resent" } as const;

export function SendAgain({ purpose, send }: SendAgainProps) {
  const { t } = useSite();
  // A mail has just been sent: it led to this page.
  const [sentAt, setSentAt] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<UiKey | null>(null);

  async function again() {
    if (Date.now() - sentAt < linkResendDelay) return setTold("page.link-sent.wait");
    setBusy(true);
    setTold(null);
    const mailed = await send();
    setBusy(false);
    if (mailed === "many") setTold("page.link-sent.many");
    if (mailed !== "sent") return;
    const now = Date.now();
    setTold(now - sentAt < askedLinkLife[purpose] ? ofEarlier[purpose] : "page.verify-email.resent");
    setSentAt(now);
  }
  return (
    <div className={styles["resend"]}>
      <Button kind="link" busy={busy} onClick={() => void again()}>
        {t("page.verify-email.resend")}
      </Button>
      <p role="status">{told !== null && <span key={told}>{unbroken(t(told))}</span>}</p>
    </div>
  );
}
