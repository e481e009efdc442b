import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { amountIn } from "./receiptRows.tsx";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** Confirms the effects of a cancellation, or that a withdrawal has ended the contract. */
export function Cancelled({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"cancelled"> }) {
  const { longDate } = formatsFor(locale);
  return (
    <Layout
      locale={locale}
      say={say}
      preview={say("cancelled.preview")}
      title={say(data.withdrawn ? "planNews.unpaid.subject" : "cancelled.title")}
      firstname={data.firstname}
    >
      {data.withdrawn ? null : <Text style={styles.text}>{say("cancelled.received", { ON: longDate(data.cancelledOn) })}</Text>}
      <Text style={styles.text}>
        {data.until !== null
          ? say("cancelled.until", { DATE: longDate(data.until) })
          : say(data.withdrawn ? "cancelled.withdrawn" : "cancelled.ended")}
      </Text>
      {data.rest === null ? null : (
        <Text style={styles.text}>{say("cancelled.rest", { PRICE: amountIn(locale, data.rest.currency)(data.rest.total) })}</Text>
      )}
      {data.moneyBackUntil === null ? null : (
        <Text style={styles.text}>{say("cancelled.moneyBack", { DATE: longDate(data.moneyBackUntil) })}</Text>
      )}
      {data.keepLink === null ? (
        <>
          <Text style={styles.text}>{say("cancelled.back")}</Text>
          <MailButton href={data.link}>{say("cancelled.button")}</MailButton>
          <LinkInWords href={data.link} say={say} />
        </>
      ) : (
        <>
          <Text style={styles.text}>{say("cancelled.notYou")}</Text>
          <MailButton href={data.keepLink}>{say("cancelled.keep")}</MailButton>
          {data.until === null ? null : <Text style={styles.quiet}>{say("cancelled.keepLife", { DATE: longDate(data.until) })}</Text>}
          <LinkInWords href={data.keepLink} say={say} />
        </>
      )}
    </Layout>
  );
}
