import { productValues } from "#core/questionnaire/placeholders.ts";
import { chargesFor } from "#core/offers.ts";
import { planMonths } from "#core/money.ts";
import type { Product } from "#core/products.ts";
import { currencyCode, taxIncluded, termsText, type OfferTerms } from "#core/terms.ts";
import { AmountRow } from "#ui/AmountRow.tsx";
import { characters } from "#ui/characters.ts";
import { classes } from "#ui/classes.ts";
import { Note } from "#ui/Note.tsx";
import { RadioGroup, type RadioProps } from "#ui/RadioGroup.tsx";
import { Sentence } from "#ui/Sentence.tsx";
import { Side } from "#ui/Side.tsx";
import { Tag } from "#ui/Tag.tsx";
import { Tick } from "#ui/Tick.tsx";
import { useEffect, useEffectEvent } from "react";
import { OfferDates, PaymentMethods } from "../offerDetails.view.tsx";
import { OfferWait } from "../offerWait.view.tsx";
import type { BlockViewProps } from "../view.ts";
import { Coupon } from "./coupon.view.tsx";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

type Props = BlockViewProps<Content>;

export function View(props: Props) {
  const { site } = props;
  const { status, products, selected } = site.offer;
  const shown = status === "ready" && products.length > 0;
  const onShown = useEffectEvent(site.onDone);
  useEffect(() => {
    if (shown) onShown();
  }, [shown]);
  if (!shown) return <OfferWait site={site} />;
  return (
    <div className={styles["price"]}>
      <RadioGroup
        label={site.t("block.price.label")}
        values={products.map(({ productId }) => productId)}
        chosen={selected?.productId}
        onChoose={site.offer.select}
        className={styles["plans"]}
      >
        {(id, radio, chosen) => {
          const product = products.find(({ productId }) => productId === id);
          return product && <Plan key={id} {...props} product={product} radio={radio} chosen={chosen} />;
        }}
      </RadioGroup>
      <Coupon site={site} />
      {selected !== null && (
        <Side>
          <Due {...props} product={selected} terms={site.offer.termsOf(selected)} />
        </Side>
      )}
    </div>
  );
}

interface PlanProps extends Props {
  readonly product: Product;
  readonly radio: RadioProps;
  readonly chosen: boolean;
}

function Plan({ site, product, radio, chosen }: PlanProps) {
  const { selectionTexts, tag, discounts } = site.offer.configurationOf(product);
  const terms = site.offer.termsOf(product);
  const values = productValues(product, site.formats);
  const money = (minorUnits: number) => site.formats.money(minorUnits, product.currency);
  const amount = money(terms.renews ? terms.perUnit : product.price);
  const list = terms.renews ? terms.listPerUnit : product.listPrice > product.price ? product.listPrice : null;
  // The configured price text contains the amount. The card removes it from the text and shows it in its largest type.
  const unit =
    selectionTexts.price &&
    site.plain(selectionTexts.price, { ...values, ME_FEE: "", ME_FEE_PER_MONTH: "", ME_FEE_PER_WEEK: "", ME_TOTAL_FEE: "" }).trim();
  const detail = product.trialDays > 0 && terms.renews ? (selectionTexts.trial ?? selectionTexts.footer) : selectionTexts.footer;
  const discount = discounts?.find(({ currency }) => currency === product.currency);
  const flag = tag ?? discount?.tag;
  return (
    <button
      type="button"
      {...radio}
      className={classes(styles["plan"], chosen && styles["chosen"], (flag ?? discount) !== undefined && styles["tagged"])}
    >
      {flag !== undefined ? (
        <Tag className={styles["tag"]}>{site.say(flag, values)}</Tag>
      ) : (
        discount && <Tag className={styles["tag"]}>−{site.formats.percent(discount.percentage / 100)}</Tag>
      )}
      <Tick on={chosen} />
      <span className={styles["words"]}>
        <span className={styles["name"]}>{site.say(selectionTexts.header, values)}</span>
        <span className={styles["detail"]}>
          {detail === undefined
            ? site.t(terms.renews ? "block.price.renewsEvery" : "block.price.once", {
                EVERY: renewalInterval(site, terms),
                PRICE: money(product.price),
              })
            : site.say(detail, values)}
        </span>
      </span>
      <span className={styles["amounts"]}>
        <b style={characters(amount)}>{amount}</b>
        {/* Drawn anew for another price: a browser that translates the page replaces our texts, and a changed one would keep the former price. */}
        <small key={list}>
          {list !== null && (
            <>
              <span className="sr">{site.t("block.price.before", { PRICE: money(list) })} </span>
              <s aria-hidden="true">{money(list)}</s>{" "}
            </>
          )}
          {unit || site.t(!terms.renews ? "block.price.once" : terms.unit === "week" ? "block.price.perWeek" : "block.price.perMonth")}
        </small>
      </span>
    </button>
  );
}

function renewalInterval(site: Props["site"], { count, unit }: OfferTerms): string {
  return site.t("block.price.every", { COUNT: count, UNIT: unit });
}

function Due({ site, context, product, terms }: Props & { readonly product: Product; readonly terms: OfferTerms }) {
  const price = site.formats.money(product.price, product.currency);
  const values = { LENGTH: site.t("block.price.length", { COUNT: terms.count, UNIT: terms.unit }), EVERY: renewalInterval(site, terms) };
  const parts = {
    DATE: <b>{terms.nextCharge !== null && site.formats.longDate(terms.nextCharge)}</b>,
    PRICE: <b className="nw">{price}</b>,
  };
  return (
    <section className={styles["due"]} aria-live="polite">
      <AmountRow
        label={site.t("block.price.today")}
        amount={site.formats.money(terms.dueToday, product.currency)}
        unit={currencyCode(product.currency)}
      />
      {product.trialUsed && <Note icon="info">{site.t("block.price.trialUsed", { PRICE: price })}</Note>}
      {/* Drawn anew for another plan, too. */}
      <Note key={`${product.productId} ${price}`} icon={terms.renews ? "calendar-check" : "check"}>
        <Sentence fill={(standIns) => site.t(termsText(terms), { ...values, ...standIns })} parts={parts} />
        {taxIncluded(product.currency) && <> {site.t("block.price.taxIncluded")}</>}
      </Note>
      {site.plan.pace !== null && <Note icon="target">{coverage(site, product, price)}</Note>}
      {context.country === "AR" && <Note icon="info">{site.t("block.price.taxNote")}</Note>}
      <OfferDates site={site} context={context} product={product} terms={terms} />
      <PaymentMethods site={site} context={context} product={product} />
    </section>
  );
}

/** How much of stage 1 a product covers: a part of it, or all of it with this number of charges. */
function coverage({ t, plan }: Props["site"], product: Product, price: string): string {
  const { months } = plan;
  const paid = planMonths(product.productPlan);
  if (product.productType === "onetime" && paid < months) return t("block.price.coversPart", { MONTHS: months, PAID: paid });
  return t("block.price.covers", { MONTHS: months, TIMES: chargesFor(product, plan), PRICE: price });
}
