/** The rows of a receipt, the same in every mail that has one. */
import { orderNumber } from "#core/orderNumber.ts";
import { brand } from "#content/brand.ts";
import { providers } from "#content/legal/providers.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { parsePlan } from "#core/money.ts";
import { currencyCode } from "#core/terms.ts";
import { Link } from "@react-email/components";
import { colours } from "./looks.ts";
import type { Say } from "./say.ts";

/** An amount with its currency's code, unless its sign is unambiguous: seven of our currencies have a dollar sign or none. */
export function amountIn(locale: Locale, currency: string): (minorUnits: number) => string {
  const { money } = formatsFor(locale);
  const code = currencyCode(currency);
  return (minorUnits) => `${money(minorUnits, currency)}${code === null ? "" : `\u00a0${code}`}`;
}

export function receiptRows(
  locale: Locale,
  say: Say,
  payment: {
    readonly plan: string;
    readonly productType: "onetime" | "subscription";
    readonly orderId: string;
    readonly currency: string;
    readonly on: string;
    readonly paid: number;
    readonly tax: number | null;
    readonly next: { readonly on: string; readonly price: number } | null;
    readonly manageLink: string;
    /** The first and last day of access, for products with a limited time. */
    readonly access?: { readonly from: string; readonly until: string } | null;
    /** The last day of the money-back guarantee; "later" while nothing is paid, null when that day has passed. */
    readonly guarantee: string | null;
    /** The right of withdrawal from a new contract: its last day, and the page where one withdraws. */
    readonly withdrawal?: { readonly until: string; readonly link: string } | null;
  },
) {
  const { longDate } = formatsFor(locale);
  const amount = amountIn(locale, payment.currency);
  const { count, unit } = parsePlan(payment.plan);
  const renews = payment.productType === "subscription";
  const isTaxTold = payment.tax !== null && (payment.tax > 0 || payment.paid === 0);
  const next = payment.next === null ? null : say("receipt.nextOn", { PRICE: amount(payment.next.price), DATE: longDate(payment.next.on) });
  return [
    [say("receipt.item"), say(unit === "week" ? "receipt.weeks" : "receipt.months", { COUNT: count })],
    [say("receipt.paid"), amount(payment.paid), "strong"],
    [say("receipt.vat"), isTaxTold ? amount(payment.tax) : say("receipt.vatOnInvoice")],
    ...(renews
      ? ([[say("receipt.interval"), say(unit === "week" ? "receipt.everyWeeks" : "receipt.everyMonths", { COUNT: count })]] as const)
      : []),
    ...(renews && next === null ? [] : ([[say("receipt.next"), next ?? say("receipt.nextNone")]] as const)),
    ...(payment.access == null
      ? []
      : ([
          [say("receipt.from"), longDate(payment.access.from)],
          [say("receipt.until"), longDate(payment.access.until)],
        ] as const)),
    [say("receipt.date"), longDate(payment.on)],
    [say("receipt.order"), orderNumber(payment.orderId)],
    [say("receipt.seller"), say("receipt.sellerName", { SELLER: providers.PADDLE.name, COMPANY: brand.company.name })],
    ...(payment.guarantee === null
      ? []
      : ([
          [
            say("receipt.guarantee"),
            payment.guarantee === "later"
              ? say("receipt.guaranteeText")
              : say("receipt.guaranteeUntil", { DATE: longDate(payment.guarantee) }),
          ],
        ] as const)),
    ...(payment.withdrawal == null
      ? []
      : ([
          [
            say("receipt.withdraw"),
            <Link key="withdraw" href={payment.withdrawal.link} style={{ color: colours.primary }}>
              {say("receipt.withdrawUntil", { DATE: longDate(payment.withdrawal.until) })}
            </Link>,
          ],
        ] as const)),
    ...(renews
      ? ([
          [
            say("receipt.cancel"),
            <Link key="cancel" href={payment.manageLink} style={{ color: colours.primary }}>
              {say("receipt.cancelHow")}
            </Link>,
          ],
        ] as const)
      : []),
  ] as const;
}
