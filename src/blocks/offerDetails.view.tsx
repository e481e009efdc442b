/** A product's three dates and payment methods, wherever it is offered or paid. */
import { offerDates } from "#core/offerDates.ts";
import { paymentMethodsFor } from "#core/paymentMethods.ts";
import type { Product } from "#core/products.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { OfferTerms } from "#core/terms.ts";
import { Icon } from "#ui/Icon.tsx";
import { TimeLine } from "#ui/TimeLine.tsx";
import styles from "./offerDetails.module.css";
import type { BlockSite } from "./view.ts";

interface OfferDetails {
  readonly site: BlockSite;
  readonly context: Context;
  readonly product: Product;
}

export function OfferDates({ site, context, product, terms }: OfferDetails & { readonly terms: OfferTerms }) {
  const price = site.formats.money(product.price, product.currency);
  return (
    <TimeLine
      label={site.t("block.dates.label")}
      points={offerDates(terms, context.today).map(({ on, events }, index) => ({
        when: index === 0 ? site.t("block.dates.today") : site.formats.longDate(on),
        what: events.map((event) => site.t(`block.dates.${event}`, { PRICE: price })).join(" "),
      }))}
    />
  );
}

export function PaymentMethods({ site, context, product }: OfferDetails) {
  const marks = paymentMethodsFor(product, context).flatMap((method) => method.marks);
  return (
    <div className={styles["methods"]}>
      <p>
        <Icon name="lock" />
        {site.t("block.methods.label")}
      </p>
      <ul role="list" aria-label={site.t("block.methods.label")}>
        {marks.map((mark) => (
          <li key={mark} translate="no">
            {mark}
          </li>
        ))}
      </ul>
    </div>
  );
}
