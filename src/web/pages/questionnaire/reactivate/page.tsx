/** Reactivation: reasons to return, one plan and the payment form (spec 001 §2, "Other screens"). `?discount` is a coupon. */
import { formatsFor } from "#core/formats.ts";
import type { BlockType } from "#blocks/specs.ts";
import { parseContent } from "#blocks/allContents.ts";
import type { Offer } from "#blocks/view.ts";
import type { SubscriptionView } from "#core/api.ts";
import { planStatusOf } from "#core/entitlement.ts";
import { discountIn, reactivateTarget } from "#core/links.ts";
import { discountPercentage, parsePlan } from "#core/money.ts";
import type { Product } from "#core/products.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import type { ProductConfiguration } from "#core/questionnaire/definition.ts";
import { buildPath } from "#core/routes.ts";
import { currencyCode } from "#core/terms.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { SideSlot } from "#ui/Side.tsx";
import { Tag } from "#ui/Tag.tsx";
import { Tick } from "#ui/Tick.tsx";
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { brand } from "#content/brand.ts";
import type { UiKey } from "#content/texts/ui.ts";
import { storeReactivation } from "../../../account/afterLogin.ts";
import { useKeptDiscount } from "../../../account/keptDiscount.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { planName } from "../../../payment/planName.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { Footer } from "../../../shell/Footer.tsx";
import { QuestionHeader } from "../../../shell/QuestionHeader.tsx";
import { useSession, useSite, type WebSite } from "../../../siteContext.tsx";
import { Block, loadOtherBlocks } from "../question/blocks.tsx";
import { useBlockSite } from "../question/useBlockSite.tsx";
import styles from "./reactivate.module.css";

const objectives = ["page.reactivate.objective1", "page.reactivate.objective2", "page.reactivate.objective3"] as const;
interface Reason {
  readonly icon: string;
  readonly text: UiKey;
  readonly detail: UiKey;
}
const reasons = [
  { icon: "heart", text: "page.reactivate.reason1", detail: "page.reactivate.reason1.detail" },
  { icon: "calendar-check", text: "page.reactivate.reason2", detail: "page.reactivate.reason2.detail" },
  { icon: "rotate-ccw", text: "page.reactivate.reason3", detail: "page.reactivate.reason3.detail" },
] as const satisfies readonly Reason[];
/** Replaces the third reason where a one-time payment is also on offer, because then there is nothing to cancel. */
const payingOnce: Reason = { icon: "wallet", text: "page.reactivate.reason3.once", detail: "page.reactivate.reason3.once.detail" };
// Examples of invented people. An operator replaces them (README).
const reviews = [
  { name: "Mariana", text: "page.reactivate.review1", country: "page.reactivate.review1.country" },
  { name: "Thiago", text: "page.reactivate.review2", country: "page.reactivate.review2.country" },
  { name: "Greta", text: "page.reactivate.review3", country: "page.reactivate.review3.country" },
] as const satisfies readonly { readonly name: string; readonly text: UiKey; readonly country: UiKey }[];

function reasonsFor({ products }: Pick<Offer, "products">): readonly Reason[] {
  return products.some(({ productType }) => productType === "onetime") ? [...reasons.slice(0, 2), payingOnce] : reasons;
}

const example = !brand.isOwn.voices;

/** Redirects visitors without a session to login and customers with a plan to their plan. For all others it loads the offer and the former plan. */
function useFormerPlan(discount: string | null, loadOffer: () => void) {
  const { locale, session, services } = useSite();
  const { live } = useSession();
  const version = session.compiled.definition.id;
  const [former, setFormer] = useState<SubscriptionView | null>(null);

  const open = useEffectEvent(async () => {
    const here = { locale, version };
    if (!isSignedIn(services.store)) {
      storeReactivation(services.store, discount);
      return goToPath(buildPath("login/link", locale), here, { replace: true });
    }
    // If the call fails, the offer is shown. The server refuses to charge a customer with a plan again (decision 080).
    const { entitlements } = await services.api.call("entitlement").catch(() => ({ entitlements: [] }));
    if (!isSignedIn(services.store)) return;
    if (planStatusOf(entitlements[0], Date.now()) === "usable")
      return goToPath(buildPath("handle-your-subscription", locale), here, { replace: true });
    loadOffer();
    const answer = await services.api.call("subscription").catch(() => null);
    setFormer(answer?.subscription ?? null);
  });
  const leave = useEffectEvent(() => {
    // The session turned out to be over, and the login has replaced this page. The login must lead back here.
    if (!isSignedIn(services.store)) storeReactivation(services.store, discount);
  });
  useEffect(() => {
    if (!live) return undefined;
    void open();
    return () => leave();
  }, [live]);
  return former;
}

/** Whether the first month is free. */
const isPlusOne = ({ productType, productPlan, trialUsed }: Product): boolean =>
  productType === "subscription" && productPlan === "6M" && trialUsed !== true;

/** Whether both are the same plan with comparable prices. Somebody who has moved had another currency. */
const isSamePlan = (product: Product, former: SubscriptionView | null): former is SubscriptionView =>
  product.productPlan === former?.productPlan && product.productType === former.productType && product.currency === former.currency;

/** The product's name on this page. */
function planOf(product: Product, t: WebSite["t"]): string {
  const { count, unit } = parsePlan(product.productPlan);
  return isPlusOne(product) ? t("page.reactivate.plan", { MONTHS: count }) : t("block.price.length", { COUNT: count, UNIT: unit });
}

function View() {
  const { t, locale, session, services, bare } = useSite();
  const { state, context, live } = useSession();
  const version = session.compiled.definition.id;
  const [side, setSide] = useState<HTMLElement | null>(null);
  const discount = discountIn(services.arrival.get("discount"));
  const keptDiscount = useKeptDiscount();
  const [payment] = useState(() => services.paymentFor({ couponCode: discount ?? undefined, reactivate: true }));
  const offer = useSyncExternalStore(payment.offer.subscribe, payment.offer.snapshot, payment.offer.snapshot);
  const product = offer.selected;
  const former = useFormerPlan(discount, payment.offer.load);
  const nameOf = (product: Product) => planOf(product, t);
  const configurationOf = (product: Product): ProductConfiguration => ({
    productType: product.productType,
    productPlan: product.productPlan,
    selectionTexts: { header: nameOf(product) },
    paymentTexts: { paymentHeader: t("page.reactivate.order"), typeText: nameOf(product) },
  });
  const blockSite = useBlockSite({ questionId: reactivateTarget, submit: () => {}, onDone: () => {}, payment, configurationOf });
  const block: RenderBlock = (content, name) => (
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
          <Heading product={product} former={former} />
          <div className={styles["columns"]}>
            <div className={styles["main"]}>
              <section>
                <h2>{t("page.reactivate.objectives")}</h2>
                {block({ type: "list", items: objectives.map((key) => ({ text: t(key) })) }, "objectives")}
              </section>
              <section>
                <h2>{t("page.reactivate.reasons")}</h2>
                {block(
                  { type: "list", items: reasonsFor(offer).map(({ icon, text, detail }) => ({ icon, text: t(text), detail: t(detail) })) },
                  "reasons",
                )}
              </section>
              <section id="pay" className={styles["pay"]}>
                <h2>{t("page.reactivate.pay")}</h2>
                {former !== null && <Former plan={former} currency={product?.currency ?? former.currency} />}
                {offer.products.length > 1 && <Choice offer={offer} former={former} nameOf={nameOf} onChoose={payment.offer.select} />}
                {block({ type: "payment" }, "payment")}
                {live && product !== null && block({ type: "paddle" }, "paddle")}
              </section>
              <Reviews block={block} />
              <Button kind="link" href={buildPath("questionnaire/reactivate-or-new", locale, { version }) + keptDiscount}>
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

function Heading({ product, former }: { readonly product: Product | null; readonly former: SubscriptionView | null }) {
  const { t } = useSite();
  const { state } = useSession();
  const percent = product === null ? 0 : discountPercentage(product);
  // The former plan at its former price is no special price: the page must not call it a discount.
  const isAsBefore = product !== null && isSamePlan(product, former) && product.price >= former.price;
  const isSpecialPrice = product !== null && former !== null && (percent > 0 || isPlusOne(product)) && !isAsBefore;
  return (
    <div className={styles["head"]}>
      {percent > 0 && !isAsBefore && <Tag>{t("page.reactivate.badge", { PERCENT: percent })}</Tag>}
      <h1 tabIndex={-1}>
        {state.user.firstname ? t("page.reactivate.title", { FIRSTNAME: state.user.firstname }) : t("page.reactivate.titlePlain")}
      </h1>
      <p>{t(isSpecialPrice ? "page.reactivate.text" : "page.reactivate.text.new")}</p>
    </div>
  );
}

type RenderBlock = (content: { readonly type: BlockType } & Readonly<Record<string, unknown>>, name: string) => ReactNode;

function Reviews({ block }: { readonly block: RenderBlock }) {
  const { t, client } = useSite();
  if (example && !client.examples) return null;
  return (
    <section>
      <h2>{t("page.reactivate.reviews")}</h2>
      <div className={styles["reviews"]}>
        {reviews.map(({ name, text, country }) => block({ type: "testimonial", name, text: t(text), country: t(country), example }, name))}
      </div>
      {example && <p className={styles["note"]}>{t("page.reactivate.reviews.note")}</p>}
    </section>
  );
}

/** The former plan: its name, its end, and what the account still has. A paused plan is resumed on the plan's page, without the card's data. */
function Former({ plan, currency }: { readonly plan: SubscriptionView; /** The offer's. */ readonly currency: string }) {
  const { t, rich, say, locale } = useSite();
  const formats = formatsFor(locale);
  const code = plan.currency === currency ? null : currencyCode(plan.currency);
  const price = [formats.money(plan.price, plan.currency), code].filter((part) => part !== null).join("\u00a0");
  const { count, unit } = parsePlan(plan.productPlan);
  // The price per period, not a sum that was paid: a plan that ended within its trial was never paid.
  const rate = plan.productType === "onetime" ? price : `${price} ${t("block.price.every", { COUNT: count, UNIT: unit })}`;
  return (
    <>
      <p className={styles["former"]}>
        {rich("page.reactivate.former", {
          PLAN: planName(plan, say),
          PRICE: rate,
          STATUS: plan.end === null && plan.status !== "paused" ? "none" : plan.status,
          DATE: plan.end === null ? "" : formats.longDate(dayIn(Date.parse(plan.end), plan.timeZone)),
        })}
      </p>
      {plan.actions.includes("resume") && (
        <Button arrow kind="secondary" href={buildPath("handle-your-subscription", locale)}>
          {t("subscription.resume")}
        </Button>
      )}
    </>
  );
}

/** The choice between the reactivation plan and the former plan, with prices. */
function Choice({
  offer,
  former,
  nameOf,
  onChoose,
}: {
  readonly offer: Pick<Offer, "products" | "selected">;
  readonly former: SubscriptionView | null;
  readonly nameOf: (product: Product) => string;
  readonly onChoose: (productId: string) => void;
}) {
  const { t, locale } = useSite();
  const formats = formatsFor(locale);
  return (
    <RadioGroup
      label={t("page.reactivate.choose")}
      values={offer.products.map(({ productId }) => productId)}
      chosen={offer.selected?.productId}
      onChoose={onChoose}
      className={styles["choice"]}
    >
      {(id, radio, chosen) => {
        const product = offer.products.find(({ productId }) => productId === id);
        if (product === undefined) return null;
        const { count, unit } = parsePlan(product.productPlan);
        const price = formats.money(product.price, product.currency);
        const every = t("block.price.every", { COUNT: count, UNIT: unit });
        return (
          <button key={id} type="button" {...radio} className={classes(styles["plan"], chosen && styles["chosen"])}>
            <Tick on={chosen} />
            <span>
              <b>{nameOf(product)}</b>
              {isSamePlan(product, former) && product.price <= former.price && <small>{t("page.reactivate.asBefore")}</small>}
            </span>
            <span className={styles["amount"]}>
              <b>{price}</b>
              <small>{product.productType === "onetime" ? t("block.price.once") : every}</small>
            </span>
          </button>
        );
      }}
    </RadioGroup>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/reactivate.title"),
  description: ({ t }) => t("meta.questionnaire/reactivate.description"),
  prepare: async (site) => void (await Promise.all([loadOtherBlocks(site), site.moreTexts()])),
  View,
};
