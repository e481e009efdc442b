/** Coming back: what it was for, why now, one plan, and the form (spec 001 §2, "Other screens"; `?discount` is a coupon). */
import { type BlockType, parseContent } from "#blocks/specs.ts";
import { standingOf } from "#core/entitlement.ts";
import { discountIn, reactivateTarget } from "#core/links.ts";
import { discountPercentage, planMonths } from "#core/money.ts";
import type { Product } from "#core/products.ts";
import type { ProductConfiguration } from "#core/questionnaire/definition.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { SideSlot } from "#ui/Side.tsx";
import { Tag } from "#ui/Tag.tsx";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { keepWish } from "../../../account/arrive.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../session/storage.ts";
import { Footer } from "../../../shell/Footer.tsx";
import { QuestionHeader } from "../../../shell/QuestionHeader.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { Block, loadOtherBlocks } from "../question/blocks.tsx";
import { useBlockSite } from "../question/useBlockSite.tsx";
import styles from "./reactivate.module.css";

const objectives = ["page.reactivate.objective1", "page.reactivate.objective2", "page.reactivate.objective3"] as const;
const reasons = [
  { icon: "heart", text: "page.reactivate.reason1", detail: "page.reactivate.reason1.detail" },
  { icon: "calendar-check", text: "page.reactivate.reason2", detail: "page.reactivate.reason2.detail" },
  { icon: "rotate-ccw", text: "page.reactivate.reason3", detail: "page.reactivate.reason3.detail" },
] as const satisfies readonly { readonly icon: string; readonly text: UiKey; readonly detail: UiKey }[];
// The template's own examples, of invented people: an operator replaces them (README).
const reviews = [
  { name: "Mariana", text: "page.reactivate.review1", country: "page.reactivate.review1.country" },
  { name: "Thiago", text: "page.reactivate.review2", country: "page.reactivate.review2.country" },
  { name: "Greta", text: "page.reactivate.review3", country: "page.reactivate.review3.country" },
] as const satisfies readonly { readonly name: string; readonly text: UiKey; readonly country: UiKey }[];

function View() {
  const site = useSite();
  const { t, locale, session, services, bare } = site;
  const { state, context, live } = useSession();
  const version = session.compiled.definition.id;
  const [side, setSide] = useState<HTMLElement | null>(null);
  const discount = discountIn(services.arrival.get("discount"));
  const [payment] = useState(() => services.paymentFor({ couponCode: discount ?? undefined, reactivate: true }));
  const offer = useSyncExternalStore(payment.offer.subscribe, payment.offer.snapshot, payment.offer.snapshot);
  const product = offer.selected;

  const open = useEffectEvent(async () => {
    const here = { locale, version };
    if (!isSignedIn(services.store)) {
      keepWish(services.store, { target: reactivateTarget, discount });
      return goToPath(buildPath("login/link", locale), here, { replace: true });
    }
    // Without an answer the offer is shown: whoever has a plan is not charged for another (decision 080).
    const { entitlements } = await services.api.call("entitlement").catch(() => ({ entitlements: [] }));
    if (standingOf(entitlements[0], Date.now()) !== "usable") payment.offer.load();
    else goToPath(buildPath("handle-your-subscription", locale), here, { replace: true });
  });
  useEffect(() => {
    if (live) void open();
  }, [live]);

  const words = (bought: Product): ProductConfiguration => {
    const months = planMonths(bought.productPlan);
    const plan = bought.trialUsed
      ? t("block.price.length", { COUNT: months, UNIT: "month" })
      : t("page.reactivate.plan", { MONTHS: months });
    return {
      productType: bought.productType,
      productPlan: bought.productPlan,
      selectionTexts: { header: plan },
      paymentTexts: { paymentHeader: t("page.reactivate.order"), typeText: plan },
    };
  };
  const blockSite = useBlockSite({ questionId: reactivateTarget, submit: () => {}, onDone: () => {}, payment, configurationOf: words });
  const block = (content: { readonly type: BlockType } & Readonly<Record<string, unknown>>, name: string) => (
    <Block
      key={name}
      content={parseContent(content)}
      id={`reactivate-${name}`}
      state={state}
      context={context}
      status="pass"
      done={false}
      site={blockSite}
    />
  );
  const percent = product === null ? 0 : discountPercentage(product);
  return (
    <>
      {!bare && <QuestionHeader back={null} progress={null} />}
      <main
        id="main"
        tabIndex={-1}
        data-route="questionnaire/reactivate"
        data-version={version}
        data-question-id={reactivateTarget}
        className={styles["page"]}
      >
        <SideSlot value={side}>
          <div className={styles["head"]}>
            {percent > 0 && <Tag>{t("page.reactivate.badge", { PERCENT: percent })}</Tag>}
            <h1 tabIndex={-1}>
              {state.user.firstname ? t("page.reactivate.title", { FIRSTNAME: state.user.firstname }) : t("page.reactivate.titlePlain")}
            </h1>
            <p>{t("page.reactivate.text")}</p>
          </div>
          <div className={styles["columns"]}>
            <div className={styles["main"]}>
              <section>
                <h2>{t("page.reactivate.objectives")}</h2>
                {block({ type: "list", items: objectives.map((key) => ({ text: t(key) })) }, "objectives")}
              </section>
              <section>
                <h2>{t("page.reactivate.reasons")}</h2>
                {block(
                  { type: "list", items: reasons.map(({ icon, text, detail }) => ({ icon, text: t(text), detail: t(detail) })) },
                  "reasons",
                )}
              </section>
              <section id="pay" className={styles["pay"]}>
                <h2>{t("page.reactivate.pay")}</h2>
                {block({ type: "payment" }, "payment")}
                {live && product !== null && block({ type: "paddle" }, "paddle")}
              </section>
              <section>
                <h2>{t("page.reactivate.reviews")}</h2>
                <div className={styles["reviews"]}>
                  {reviews.map(({ name, text, country }) => block({ type: "testimonial", name, text: t(text), country: t(country) }, name))}
                </div>
                <p className={styles["note"]}>{t("page.reactivate.reviews.note")}</p>
              </section>
              <Button kind="link" href={buildPath("questionnaire/reactivate-or-new", locale, { version })}>
                {t("page.reactivate.other")}
              </Button>
            </div>
            <aside ref={setSide} className={styles["side"]} />
          </div>
        </SideSlot>
      </main>
      <Footer />
    </>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/reactivate.title"),
  description: ({ t }) => t("meta.questionnaire/reactivate.description"),
  prepare: async (site) => void (await Promise.all([loadOtherBlocks(), site.moreTexts()])),
  View,
};
