/** A button that sends a mail again. The server silently allows one per minute. Pressed earlier, the button says what to do meanwhile. */
import { linkResendDelay } from "#core/links.ts";
import { Button } from "#ui/Button.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { useSite } from "../siteContext.tsx";
import styles from "./account.module.css";

/** @param send resolves with whether the mail was sent; it shows its own errors */
export function SendAgain({ send }: { readonly send: () => Promise<boolean> }) {
  const { t } = useSite();
  // A mail has just been sent: it led to this page.
  const [sentAt, setSentAt] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<UiKey | null>(null);

  async function again() {
    if (Date.now() - sentAt < linkResendDelay) return setTold("page.link-sent.wait");
    setBusy(true);
    setTold(null);
    const went = await send();
    setBusy(false);
    if (!went) return;
    setSentAt(Date.now());
    setTold("page.link-sent.resent");
  }
  return (
    <div className={styles["resend"]}>
      <Button kind="link" busy={busy} onClick={() => void again()}>
        {t("page.verify-email.resend")}
      </Button>
      <p role="status">{told !== null && unbroken(t(told))}</p>
    </div>
  );
}
