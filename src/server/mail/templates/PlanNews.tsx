import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { Heading, Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import { amountIn, receiptRows } from "./receiptRows.tsx";
import { Rows } from "./Rows.tsx";
import type { Say } from "./say.ts";

const receipts: ReadonlySet<string> = new Set(["begun", "renewed", "recovered"]);

/** A change of a plan, whoever caused it: one sentence, the receipt of a charge, and what comes next. */
export function PlanNews({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"planNews"> }) {
  const { longDate } = formatsFor(locale);
  const amount = amountIn(locale, data.currency);
  const { news, next, total } = data;
  // The next charge repeats the failed payment, so `price` is its amount.
  const money = news === "failed" ? amount(data.price) : total === null ? say("planNews.aPart") : amount(total);
  const key = news === "partRefunded" && data.over ? "planNews.partRefunded.over" : (`planNews.${news}.text` as const);
  const text = say(key, { PRICE: money, DATE: data.at === null ? "" : longDate(data.at) });
  return (
    <Layout locale={locale} say={say} preview={text} title={say(`planNews.${news}.subject`)} firstname={data.firstname}>
      <Text style={styles.text}>{text}</Text>
      {receipts.has(news) && total !== null ? (
        <>
          <Heading as="h2" style={styles.subtitle}>
            {say("receipt.heading")}
          </Heading>
          <Rows
            rows={receiptRows(locale, say, {
              ...data,
              paid: total,
              guarantee: data.moneyBackUntil,
              next: next === null ? null : { on: next, price: data.price },
              manageLink: data.link,
            })}
          />
        </>
      ) : (
        next !== null && (
          <Text style={styles.text}>
            {say(news === "refunded" ? "planNews.refunded.goesOn" : "planNews.next", { PRICE: amount(data.price), DATE: longDate(next) })}
          </Text>
        )
      )}
      <MailButton href={data.link}>{say(data.productType === "onetime" ? "emailIsNew.button" : "cancelled.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}
