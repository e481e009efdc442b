import { productValues } from "#core/questionnaire/placeholders.ts";
import type { Product } from "#core/products.ts";
import { currencyCode, taxIncluded, termsText } from "#core/terms.ts";
import { toldWithdrawalDays } from "#core/withdrawal.ts";
import { AmountRow } from "#ui/AmountRow.tsx";
import { Note } from "#ui/Note.tsx";
import { Sentence } from "#ui/Sentence.tsx";
import { Side } from "#ui/Side.tsx";
import { OfferDates, PaymentMethods } from "../offerDetails.view.tsx";
import { OfferWait } from "../offerWait.view.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

type Props = BlockViewProps<Content>;

export function View(props: Props) {
  const { site } = props;
  const { status, selected } = site.offer;
  if (status === "ready" && selected !== null) {
    return (
      <Side>
        {/* Drawn anew for another plan or price, as in the price block. */}
        <Order key={`${selected.productId} ${selected.price}`} {...props} product={selected} />
      </Side>
    );
  }
  return <OfferWait site={site} />;
}

function Order({ site, context, product, id }: Props & { readonly product: Product }) {
  const { paymentTexts, selectionTexts } = site.offer.configurationOf(product);
  const terms = site.offer.termsOf(product);
  const values = productValues(product, site.formats);
  const money = (minorUnits: number) => site.formats.money(minorUnits, product.currency);
  const price = money(product.price);
  const parts = {
    DATE: <b>{terms.nextCharge !== null && site.formats.longDate(terms.nextCharge)}</b>,
    PRICE: <b className="nw">{price}</b>,
  };
  const charge = !terms.renews ? "block.payment.once" : terms.dueToday === 0 ? "block.payment.charge" : "block.payment.next";
  const period = { COUNT: terms.count, UNIT: terms.unit };
  return (
    <section className={styles["order"]} aria-labelledby={`${id}-order`}>
      <h2 id={`${id}-order`}>{site.say(paymentTexts.paymentHeader, values)}</h2>
      <dl>
        <div>
          <dt>{site.say(paymentTexts.typeText ?? selectionTexts.header, values)}</dt>
          <dd>
            {product.listPrice > product.price && (
              <>
                <span className="sr">{site.t("block.price.before", { PRICE: money(product.listPrice) })} </span>
                <s aria-hidden="true">{money(product.listPrice)}</s>{" "}
              </>
            )}
            <span className="nw">{price}</span>
          </dd>
        </div>
        {terms.renews && terms.dueToday === 0 && (
          <div>
            <dt>{site.t("block.payment.trial", { DAYS: product.trialDays })}</dt>
            <dd className="nw">−{price}</dd>
          </div>
        )}
      </dl>
      <div className={styles["total"]}>
        <AmountRow label={site.t("block.price.today")} amount={money(terms.dueToday)} unit={currencyCode(product.currency)} />
      </div>
      {product.trialUsed && <Note icon="info">{site.t("block.price.trialUsed", { PRICE: price })}</Note>}
      <Note icon={terms.renews ? "calendar-check" : "check"}>
        {paymentTexts.paymentFooter === undefined ? (
          <Sentence
            fill={(standIns) =>
              site.t(termsText(terms), {
                ...standIns,
                LENGTH: site.t("block.price.length", period),
                EVERY: site.t("block.price.every", period),
              })
            }
            parts={parts}
          />
        ) : (
          <>
            <Sentence fill={(standIns) => site.t(charge, standIns)} parts={parts} /> {site.say(paymentTexts.paymentFooter, values)}
          </>
        )}
        {taxIncluded(product.currency) && <> {site.t("block.price.taxIncluded")}</>}
      </Note>
      <Withdrawal site={site} days={toldWithdrawalDays(context.country)} />
      {context.country === "AR" && <Note icon="info">{site.t("block.price.taxNote")}</Note>}
      <OfferDates site={site} context={context} product={product} terms={terms} />
      <PaymentMethods site={site} context={context} product={product} />
    </section>
  );
}

/** The right of withdrawal, which the law wants named before the order. */
function Withdrawal({ site, days }: Pick<Props, "site"> & { readonly days: number }) {
  if (days === 0) return null;
  const terms = (
    <a href={site.legalLinks.terms} target="_blank" rel="noopener">
      {site.t("block.signupPassword.terms")}
    </a>
  );
  return (
    <Note icon="info">
      <Sentence fill={(standIns) => site.t("block.payment.withdraw", { ...standIns, DAYS: days })} parts={{ TERMS: terms }} />
    </Note>
  );
}
