import { Button } from "#ui/Button.tsx";
import { Icon } from "#ui/Icon.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Sentence } from "#ui/Sentence.tsx";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BlockSite, BlockViewProps } from "../view.ts";
import { type Content, frameTarget, loaderLimit } from "./spec.ts";
import styles from "./view.module.css";

/** Status of the alternatives to the form; the values are also text keys. */
type AlternativeStatus = "hostedOpening" | "hostedFailed" | "mailSending" | "mailSent" | "mailFailed";

/** The provider's form in our page. When it does not load, there are three other ways to pay. */
export function View({ id, site }: BlockViewProps<Content>) {
  const { checkout, live, t, plain } = site;
  const [late, setLate] = useState(false);
  const [alternative, setAlternative] = useState<AlternativeStatus | null>(null);
  const waiting = checkout.status === "idle" || checkout.status === "loading";
  const refused = checkout.status === "limited" || checkout.status === "down" ? checkout.status : null;
  const failed = refused !== null || checkout.status === "failed" || (waiting && late);

  const open = useEffectEvent(() => checkout.open(frameTarget));
  const close = useEffectEvent(() => checkout.close());
  // After hydration, because only then does the page know whether this visitor pays here.
  useEffect(() => {
    if (!live) return;
    open();
    return () => close();
  }, [live]);
  useTimeout(() => setLate(true), waiting && !late ? loaderLimit : null);

  const ways = {
    retry: () => {
      setLate(false);
      setAlternative(null);
      checkout.close();
      checkout.open(frameTarget);
    },
    openHosted: async () => {
      setAlternative("hostedOpening");
      // If the hosted page opens, the status is reset, because the browser's Back button may show this page again as it was.
      setAlternative((await checkout.openHosted()) ? null : "hostedFailed");
    },
    mailLink: async () => {
      setAlternative("mailSending");
      setAlternative((await checkout.mailLink()) ? "mailSent" : "mailFailed");
    },
  };
  useReopening(site.offer, ways.retry, failed && refused !== "limited");
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
          {failed && <Failed site={site} refused={refused} alternative={alternative} ways={ways} />}
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
      <p className={styles["told"]} role="status">
        {alternative !== null &&
          t(`block.paddle.${alternative}`, alternative === "mailSent" ? { EMAIL: plain([["arg", "EMAIL"]]) } : undefined)}
      </p>
    </section>
  );
}

/** Reopens the form when the order changes. Also reopens a form that a lost connection broke, once the connection is back. */
function useReopening({ selected, coupon }: BlockSite["offer"], reopen: () => void, isLost: boolean) {
  // The visitor may choose another plan, or add a coupon, on the same screen.
  const order = selected && `${selected.productId} ${coupon}`;
  const opened = useRef(order);
  const follow = useEffectEvent(() => {
    if (order !== null && opened.current !== null && order !== opened.current) reopen();
    opened.current = order;
  });
  useEffect(() => follow(), [order]);
  const back = useEffectEvent(() => isLost && reopen());
  useEffect(() => {
    const online = () => back();
    addEventListener("online", online);
    return () => removeEventListener("online", online);
  }, []);
}

interface Ways {
  readonly retry: () => void;
  readonly openHosted: () => void;
  readonly mailLink: () => void;
}

interface FailedProps {
  readonly site: BlockSite;
  /** The rate limit was reached, or the provider is down: the visitor can only wait. */
  readonly refused: "limited" | "down" | null;
  readonly alternative: AlternativeStatus | null;
  readonly ways: Ways;
}

function Failed({ site: { t }, refused, alternative, ways }: FailedProps) {
  return (
    <div className={styles["failed"]}>
      <div role="alert">
        <h2>{t(`block.paddle.${refused ?? "failed"}Title`)}</h2>
        <p>{t(`block.paddle.${refused ?? "failed"}Text`)}</p>
      </div>
      <Button onClick={ways.retry}>{t("block.paddle.retry")}</Button>
      {refused === null && (
        <>
          <Button kind="secondary" icon="external-link" busy={alternative === "hostedOpening"} onClick={ways.openHosted}>
            {t("block.paddle.openHosted")}
          </Button>
          <Button kind="secondary" icon="mail" busy={alternative === "mailSending"} onClick={ways.mailLink}>
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
