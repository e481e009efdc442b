import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Sentence } from "#ui/Sentence.tsx";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import type { BlockSite, BlockViewProps } from "../view.ts";
import { type Content, frameTarget, loaderLimit } from "./spec.ts";
import styles from "./view.module.css";

type MailState = "none" | "sending" | "sent" | "failed";

/** The provider's form on our page; when it does not come there are three other ways on. */
export function View({ id, site }: BlockViewProps<Content>) {
  const { checkout, t } = site;
  const [late, setLate] = useState(false);
  const [mail, setMail] = useState<MailState>("none");
  const waiting = checkout.status === "idle" || checkout.status === "loading";
  const limited = checkout.status === "limited";
  const failed = limited || checkout.status === "failed" || (waiting && late);

  const open = useEffectEvent(() => checkout.open(frameTarget));
  const close = useEffectEvent(() => checkout.close());
  useEffect(() => {
    open();
    return () => close();
  }, []);
  useTimeout(() => setLate(true), waiting && !late ? loaderLimit : null);

  const ways = {
    retry: () => {
      setLate(false);
      checkout.close();
      checkout.open(frameTarget);
    },
    openHosted: checkout.openHosted,
    mailLink: async () => {
      setMail("sending");
      setMail((await checkout.mailLink()) ? "sent" : "failed");
    },
  };
  return (
    <section className={styles["pay"]} aria-labelledby={`${id}-secure`}>
      <div className={styles["card"]}>
        <p className={styles["head"]}>
          <Icon name="lock" />
          <b id={`${id}-secure`}>{t("block.paddle.secure")}</b>
          <span>{t("block.paddle.provider")}</span>
        </p>
        <div className={styles["body"]} aria-busy={waiting && !late}>
          {waiting && !late && (
            <div className={styles["loading"]} role="status">
              <TypingBubble size="small" />
              <p>{t("block.paddle.loading")}</p>
            </div>
          )}
          {failed && <Failed site={site} limited={limited} mail={mail} ways={ways} />}
          <div className={`${styles["frame"]} ${frameTarget}`} hidden={failed} />
        </div>
      </div>
      {!failed && (
        <p className={styles["help"]}>
          <Sentence
            fill={(standIns) => t("block.paddle.help", standIns)}
            parts={{
              RETRY: <Way onClick={ways.retry}>{t("block.paddle.helpRetry")}</Way>,
              HOSTED: <Way onClick={ways.openHosted}>{t("block.paddle.helpHosted")}</Way>,
              MAIL: <Way onClick={ways.mailLink}>{t("block.paddle.helpMail")}</Way>,
            }}
          />
        </p>
      )}
      <p className={styles["mail"]} role="status">
        {mail !== "none" && <MailWords site={site} mail={mail} />}
      </p>
    </section>
  );
}

interface Ways {
  readonly retry: () => void;
  readonly openHosted: () => void;
  readonly mailLink: () => void;
}

interface FailedProps {
  readonly site: BlockSite;
  /** Too many tries: only time helps. */
  readonly limited: boolean;
  readonly mail: MailState;
  readonly ways: Ways;
}

function Failed({ site: { t }, limited, mail, ways }: FailedProps) {
  return (
    <div className={styles["failed"]}>
      <div role="alert">
        <h2>{t(limited ? "block.paddle.limitedTitle" : "block.paddle.failedTitle")}</h2>
        <p>{t(limited ? "block.paddle.limitedText" : "block.paddle.failedText")}</p>
      </div>
      <Button onClick={ways.retry}>{t("block.paddle.retry")}</Button>
      {!limited && (
        <>
          <Button kind="secondary" icon="external-link" onClick={ways.openHosted}>
            {t("block.paddle.openHosted")}
          </Button>
          <Button kind="secondary" icon="mail" busy={mail === "sending"} onClick={ways.mailLink}>
            {t("block.paddle.mailLink")}
          </Button>
        </>
      )}
    </div>
  );
}

function Way({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" onClick={onClick}>
      {children}
    </button>
  );
}

function MailWords({ site: { t, plain }, mail }: { readonly site: BlockSite; readonly mail: Exclude<MailState, "none"> }) {
  if (mail === "sent") return t("block.paddle.mailSent", { EMAIL: plain([["arg", "EMAIL"]]) });
  return t(mail === "sending" ? "block.paddle.mailSending" : "block.paddle.mailFailed");
}
