import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { Note } from "#ui/Note.tsx";
import { useEffect, useRef, useState } from "react";
import type { BlockSite } from "../view.ts";
import styles from "./coupon.module.css";

/** The coupon field, collapsed at first and again once a code is applied. A better code replaces it. */
export function Coupon({ site }: { readonly site: BlockSite }) {
  const { t, offer } = site;
  const [code, setCode] = useState("");
  const [told, setTold] = useState<"asking" | "same" | "kept" | "unknown" | "failed" | null>(null);
  // The message "no better" holds for one plan only, so it disappears when another plan is chosen.
  const plan = offer.selected?.productId;
  const [toldOf, setToldOf] = useState(plan);
  if (plan !== toldOf) {
    setToldOf(plan);
    if (told === "kept") setTold(null);
  }
  async function apply() {
    if (code.trim() === "") return;
    setTold("asking");
    const outcome = await offer.applyCoupon(code);
    setTold(outcome === "applied" ? null : outcome);
    if (outcome === "applied") setCode("");
  }
  const details = useRef<HTMLDetailsElement>(null);
  // Otherwise the sticky button could cover the end of the form.
  const show = () => details.current?.scrollIntoView({ block: "nearest" });
  const error = errorText();
  useEffect(() => {
    if (error !== undefined) show();
  }, [error]);

  function errorText(): string | undefined {
    if (told === "kept") return t("block.price.couponKept", { CODE: offer.coupon ?? "" });
    if (told === "same") return t("block.price.couponSame");
    if (told === "unknown") return t("block.price.couponUnknown");
    return told === "failed" ? t("block.price.couponFailed") : undefined;
  }
  return (
    <div className={styles["coupon"]}>
      <div role="status">{offer.coupon !== null && <Note icon="tag">{t("block.price.couponApplied", { CODE: offer.coupon })}</Note>}</div>
      {offer.takesCoupon && (
        <details
          key={offer.coupon}
          ref={details}
          onToggle={({ currentTarget }) => {
            if (!currentTarget.open) return;
            currentTarget.querySelector("input")?.focus({ preventScroll: true });
            show();
          }}
        >
          <summary>{t(offer.coupon === null ? "block.price.coupon" : "block.price.couponOther")}</summary>
          <div className={styles["row"]}>
            <Field
              label={t("block.price.couponLabel")}
              value={code}
              onChange={(typed) => {
                setCode(typed);
                setTold(null);
              }}
              onEnter={() => void apply()}
              error={error}
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="done"
              maxLength={64}
            />
            <Button kind="secondary" busy={told === "asking"} onClick={() => void apply()}>
              {t("block.price.couponApply")}
            </Button>
          </div>
        </details>
      )}
    </div>
  );
}
